"""Poses of links by pinocchio, which orders joints and links its own way: a judge for where it is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def poses(urdf: Path, joints: tuple[str, ...], links: tuple[str, ...], Q: np.ndarray) -> np.ndarray:
    """(n, links, 4, 4) the poses of links in configurations whose columns are these joints."""
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(urdf), mimic=True)
    data = model.createData()
    frames = [model.getFrameId(link, pinocchio.BODY) for link in links]
    found = np.empty((len(Q), len(links), 4, 4))
    for k, q in enumerate(Q):
        own = pinocchio.neutral(model)
        for name, value in zip(joints, q, strict=True):
            joint = model.joints[model.getJointId(name)]
            if joint.nq == 2:  # a joint without limits, as cosine and sine
                own[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                own[joint.idx_q] = value
        pinocchio.framesForwardKinematics(model, data, own)
        for link, frame in enumerate(frames):
            found[k, link] = data.oMf[frame].homogeneous
    return found
