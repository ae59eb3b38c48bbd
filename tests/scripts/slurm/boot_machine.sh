#!/usr/bin/env bash
# First process of a machine: lays a scratch file system over a root, and stays. Usage: boot_machine.sh ROOT SCRATCH
set -euo pipefail
root=$1 scratch=$2

ip link set lo up
# The network of the nodes; each joins it from a namespace of its own.
ip link add bridge0 type bridge
ip address add 10.1.0.1/16 dev bridge0
ip link set bridge0 up
mount -t tmpfs tmpfs /run
hostname ip-10-1-0-1
mount -t tmpfs -o mode=0755 tmpfs "$scratch"
mkdir "$scratch"/{upper,work,root}
mount -t overlay -o "lowerdir=$root,upperdir=$scratch/upper,workdir=$scratch/work" overlay "$scratch/root"
cd "$scratch/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=0755 tmpfs dev
mknod -m 0666 dev/null c 1 3
mknod -m 0666 dev/zero c 1 5
mknod -m 0666 dev/random c 1 8
mknod -m 0666 dev/urandom c 1 9
ln -s /proc/self/fd dev/fd
# Stand-ins for GPUs: Slurm looks that the files are there.
for gpu in 0 1 2 3 4 5 6 7; do mknod -m 0666 "dev/nvidia$gpu" c 195 "$gpu"; done
mkdir dev/nvidia-caps-imex-channels
mknod -m 0666 dev/nvidia-caps-imex-channels/channel0 c 234 0
for folder in run tmp var/log var/spool; do mount -t tmpfs -o mode=1777 tmpfs "$folder"; done
mkdir -p var/log/slurm var/log/munge var/spool/slurmctld run/munge var/lib/munge etc/munge opt/slurm/etc fake/{aws,broken}
chroot . chown slurm: /var/log/slurm /var/spool/slurmctld
chroot . chown munge: /run/munge /var/log/munge /var/lib/munge /etc/munge
chmod 0755 run/munge
{
  printf '127.0.0.1 localhost\n10.1.0.1 ip-10-1-0-1\n'
  for node in {0..63}; do printf '10.1.1.%d ip-10-1-1-%d\n' "$node" "$node"; done
} >etc/hosts
head -c 1024 /dev/urandom >etc/munge/munge.key
chroot . chown munge: /etc/munge/munge.key
chmod 0400 etc/munge/munge.key
chroot . setpriv --reuid=munge --regid=munge --clear-groups /usr/sbin/munged
printf 'up\n'
exec >&-
# As the first process of its namespace it inherits orphans; bash buries them as long as it waits.
while :; do sleep 3600 & wait $!; done
