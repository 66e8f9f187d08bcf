"""viser, where it is installed, and its server: on this machine only, and without a word on the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich import get_console

from tumble.errors import MissingDependencyError

HOST = "127.0.0.1"


def require_viser(what: str = "pages", instead: str = ", or save to a .glb file") -> Any:
    """Return the module, or say what to install."""
    try:
        import viser
    except ImportError as error:
        raise MissingDependencyError(f'{what} need viser: pip install "tumble[view]"{instead}') from error
    return viser


@contextmanager
def viser_server(viser: Any, port: int = 0) -> Iterator[Any]:
    """Yield a viser server that only this machine reaches; it takes the first free port from the one given."""
    console = get_console()
    was_quiet, console.quiet = console.quiet, True  # it prints when it starts and ends, even with verbose=False
    try:
        server = viser.ViserServer(host=HOST, port=port, verbose=False)
        # a page can ask for an address that the whole world reaches, through a server elsewhere: nothing leaves here
        server.request_share_url = lambda *_, **__: None
        try:
            yield server
        finally:
            server.stop()
    finally:
        console.quiet = was_quiet
