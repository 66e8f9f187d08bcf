"""Stand-ins for the interfaces of other libraries."""
