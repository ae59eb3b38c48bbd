"""FSx, whole: moto's keeps file systems without a life cycle, checks nothing and cannot change one."""

from __future__ import annotations

from clusterwright.localcloud.services.fsx_file_systems import FsxFileSystems
from clusterwright.localcloud.services.fsx_links import FsxLinks


class FsxService(FsxFileSystems, FsxLinks):
    """File systems, volumes, and data repository associations."""
