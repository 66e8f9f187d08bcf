"""Questions about when and how deep: times of impact, motions, edges of a planner, steps of cloth, common volumes."""
