#!/usr/bin/env bash
# What HyperPod on EKS runs on a new node, from the folder that it copied LifeCycleConfig.SourceS3Uri into.
# Its output is in the log group /aws/sagemaker/Clusters/NAME/ID, its status decides whether the node is kept.
set -euo pipefail
umask 022
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=lib/install.sh
source "$here/lib/install.sh"

install_bundle "$here"
exec bash "$REPLY/run.sh"
