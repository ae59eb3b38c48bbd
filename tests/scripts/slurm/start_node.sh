#!/usr/bin/env bash
# Starts a node in a network and with a host name of its own. Usage: start_node.sh SCRATCH NUMBER CONTROLLER
set -euo pipefail
root=$1/root number=$2 controller=$3
node=ip-10-1-1-$number

if ! ip netns list | grep --quiet "^$node\b"; then
  ip netns add "$node"
  ip link add "veth$number" type veth peer name eth0 netns "$node"
  ip link set "veth$number" master bridge0 up
  ip -n "$node" address add "10.1.1.$number/16" dev eth0
  ip -n "$node" link set eth0 up
  ip -n "$node" link set lo up
fi
# What is each node's own: which nodes its IMEX knows.
mkdir -p "$root/fake/imex/$node" "$root/etc/nvidia-imex"
exec ip netns exec "$node" unshare --uts --mount sh -c "hostname $node
  mount --bind $root/fake/imex/$node $root/etc/nvidia-imex; exec chroot $root env -i \
  PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C slurmd -N $node --conf-server $controller:6817"
