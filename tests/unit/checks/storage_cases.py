"""Cases of the rules on storage, in the form that test_rules.py explains."""

from __future__ import annotations

Sections = dict[str, str]

SYSTEM = "system: {instance_type: m7i.2xlarge, count: 2}"
P5EN = "train: {instance_type: p5en.48xlarge, count: 2}"
TRN2 = "train: {instance_type: trn2.48xlarge, count: 2}"
G5 = "render: {instance_type: g5.xlarge, count: 2}"
INF2 = "serve: {instance_type: inf2.48xlarge, count: 2}"
LINK = "{bucket: data, path: /data}"
LONG = "a" * 32
KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
FOREIGN_KEY = KEY.replace("us-east-2", "us-west-2")
CHINESE_KEY = KEY.replace("arn:aws:", "arn:aws-cn:")


def storage(fields: str, *pools: str) -> Sections:
    """A storage section and pools; one of p5en.48xlarge unless others are given."""
    return {
        "zone": "use2-az1",
        "storage": f"{{{fields}}}",
        "pools": "{" + ", ".join([SYSTEM, *(pools or (P5EN,))]) + "}",
    }


def lustre(fields: str, *pools: str, buckets: str = "data: {}") -> Sections:
    """A file system `fast`, and buckets."""
    return storage(f"buckets: {{{buckets}}}, lustre: {{fast: {{{fields}}}}}", *pools)


def tiered(fields: str) -> Sections:
    """An intelligent-tiering file system `fast`."""
    return lustre(f"type: intelligent-tiering, {fields}")


def home(fields: str, region: str = "us-east-2", zone: str = "use2-az1") -> Sections:
    """Homes."""
    return storage(f"home: {{kind: openzfs, capacity_gib: 1024, {fields}}}") | {
        "region": region,
        "zone": zone,
    }


def bucket(fields: str, name: str = "data") -> Sections:
    """A bucket."""
    return storage(f"buckets: {{{name}: {{{fields}}}}}")


def many_pools(count: int) -> list[str]:
    """Accelerated pools, all of which use a file system that names none."""
    return [f"train{number}: {{instance_type: p5en.48xlarge, count: 1}}" for number in range(count)]


FIRES: list[tuple[str, Sections, str, str]] = [
    ("STO001", lustre("capacity_gib: 1201"), "storage.lustre.fast.capacity_gib", "1201"),
    (
        "STO001",
        lustre("capacity_gib: 2400, throughput_mbps_per_tib: 1000, efa: true"),
        "storage.lustre.fast.capacity_gib",
        "2400",
    ),
    (
        "STO002",
        lustre("capacity_gib: 1200, metadata_iops: 4500"),
        "storage.lustre.fast.metadata_iops",
        "4500",
    ),
    (
        "STO002",
        tiered("throughput_mbps: 4000, metadata_iops: 3000"),
        "storage.lustre.fast.metadata_iops",
        "3000",
    ),
    ("STO003", tiered("throughput_mbps: 6000"), "storage.lustre.fast.throughput_mbps", "6000"),
    (
        "STO004",
        tiered("throughput_mbps: 8000, read_cache_gib: 63"),
        "storage.lustre.fast.read_cache_gib",
        "63",
    ),
    (
        "STO005",
        lustre("capacity_gib: 1200, links: [{bucket: date, path: /data}]"),
        "storage.lustre.fast.links[0].bucket",
        "date",
    ),
    (
        "STO006",
        lustre(
            f"capacity_gib: 1200, links: [{LINK}, {{bucket: more, path: /data/new}}]",
            buckets="data: {}, more: {}",
        ),
        "storage.lustre.fast.links[1].path",
        "/data/new",
    ),
    (
        "STO006",
        lustre("capacity_gib: 1200, links: [{bucket: data, path: /a, prefix: x/}, {bucket: data, path: /b}]"),
        "storage.lustre.fast.links[1].bucket",
        "data",
    ),
    (
        "STO007",
        lustre(
            "capacity_gib: 1200, links: ["
            + ", ".join(f"{{bucket: data, path: /d{at}, prefix: p{at}/}}" for at in range(9))
            + "]"
        ),
        "storage.lustre.fast.links[8]",
        "{bucket: data, path: /d8",
    ),
    ("STO008", tiered(f"throughput_mbps: 4000, links: [{LINK}]"), "storage.lustre.fast.links", "links"),
    (
        "STO009",
        lustre(f"capacity_gib: 1200, backup_days: 7, links: [{LINK}]"),
        "storage.lustre.fast.backup_days",
        "7",
    ),
    (
        "STO010",
        storage("lustre: {a: {capacity_gib: 1200, mount: /fsx}, b: {capacity_gib: 1200, mount: /fsx}}"),
        "storage.lustre.b.mount",
        "/fsx",
    ),
    (
        "STO010",
        storage("lustre: {a: {capacity_gib: 1200, mount: /scratch}}, local_nvme: {}"),
        "storage.local_nvme.mount",
        "local_nvme",
    ),
    (
        "STO011",
        storage("lustre: {a: {capacity_gib: 1200, mount: /fsx}}, local_nvme: {mount: /fsx/local}"),
        "storage.local_nvme.mount",
        "/fsx/local",
    ),
    (
        "STO012",
        lustre("capacity_gib: 1200, mount: /usr/share/data"),
        "storage.lustre.fast.mount",
        "/usr/share",
    ),
    (
        "STO030",
        bucket("transitions: {standard_ia: 30, glacier: 59}"),
        "storage.buckets.data.transitions.glacier",
        "59",
    ),
    (
        "STO030",
        bucket("transitions: {onezone_ia: 29}"),
        "storage.buckets.data.transitions.onezone_ia",
        "29",
    ),
    ("STO012", lustre("capacity_gib: 1200, mount: /var"), "storage.lustre.fast.mount", "/var"),
    ("STO013", bucket("pools: [train, trian]"), "storage.buckets.data.pools[1]", "trian"),
    ("STO013", lustre("capacity_gib: 1200, pools: [gpu]"), "storage.lustre.fast.pools[0]", "gpu"),
    ("STO014", storage("local_nvme: {raid: 0}", INF2), "storage.local_nvme", "local_nvme"),
    ("STO015", storage("local_nvme: {raid: none}", P5EN, INF2), "pools.serve.instance_type", "inf2.48xlarge"),
    ("STO016", storage("express: {hot: {}}") | {"zone": "use2-az3"}, "storage.express.hot", "hot"),
    (
        "STO017",
        lustre("capacity_gib: 4800, throughput_mbps_per_tib: 1000, efa: true", TRN2),
        "storage.lustre.fast.efa",
        "true",
    ),
    ("STO018", home("throughput_mbps: 1000"), "storage.home.throughput_mbps", "1000"),
    ("STO018", home("throughput_mbps: 64, deployment: multi-az-1"), "storage.home.throughput_mbps", "64"),
    (
        "STO019",
        home("throughput_mbps: 64, deployment: single-az-ha-1"),
        "storage.home.deployment",
        "single-az-ha-1",
    ),
    ("STO019", home("throughput_mbps: 160", "cn-north-1", "cnn1-az1"), "storage.home", "home"),
    ("STO019", home("throughput_mbps: 64", "me-central-1", "mec1-az1"), "storage.home", "home"),
    ("STO020", home("throughput_mbps: 160, iops: 3000"), "storage.home.iops", "3000"),
    (
        "STO020",
        home("throughput_mbps: 64, deployment: single-az-1, iops: 160001"),
        "storage.home.iops",
        "160001",
    ),
    ("STO020", home("throughput_mbps: 160, iops: 99999999"), "storage.home.iops", "99999999"),
    (
        "STO020",
        home("throughput_mbps: 160, iops: 51201", "eu-west-2", "euw2-az1"),
        "storage.home.iops",
        "51201",
    ),
    ("STO018", home("throughput_mbps: 0"), "storage.home.throughput_mbps", "0"),
    (
        "STO018",
        home("throughput_mbps: 7680, deployment: multi-az-1", "eu-west-2", "euw2-az1"),
        "storage.home.throughput_mbps",
        "7680",
    ),
    (
        "STO021",
        bucket("transitions: {standard_ia: 60, glacier: 60}"),
        "storage.buckets.data.transitions.glacier",
        "60",
    ),
    (
        "STO022",
        bucket("transitions: {glacier_ir: 90}, expire_days: 90, noncurrent_days: 7"),
        "storage.buckets.data.expire_days",
        "90",
    ),
    ("STO023", bucket("expire_days: 60"), "storage.buckets.data", "data"),
    ("STO023", bucket("", "checkpoints"), "storage.buckets.checkpoints", "checkpoints"),
    ("STO024", bucket("", LONG) | {"name": "b" * 7}, f"storage.buckets.{LONG}", LONG),
    (
        "STO024",
        storage(f"express: {{{LONG}: {{}}}}") | {"name": LONG},
        f"storage.express.{LONG}",
        LONG,
    ),
    (
        "STO024",
        storage("express: {hot-training-shards: {}}") | {"name": "atlas-research-production"},
        "storage.express.hot-training-shards",
        "hot-training-shards",
    ),
    ("STO025", bucket("") | {"name": "xn"}, "name", "xn"),
    ("STO032", lustre("capacity_gib: 1200", *many_pools(30)), "storage.lustre.fast", "fast"),
    (
        "STO006",
        lustre(
            "capacity_gib: 1200, links: [{bucket: data, path: /a}, {bucket: more, path: /b, prefix: x/}]",
            buckets="data: {existing: corp-corpus}, more: {existing: corp-corpus}",
        ),
        "storage.lustre.fast.links[1].bucket",
        "more",
    ),
    ("STO033", bucket(f"kms: {FOREIGN_KEY}"), "storage.buckets.data.kms", FOREIGN_KEY),
    ("STO033", bucket(f"kms: {CHINESE_KEY}"), "storage.buckets.data.kms", CHINESE_KEY),
    (
        "STO033",
        storage(f"express: {{hot: {{kms: {FOREIGN_KEY}}}}}"),
        "storage.express.hot.kms",
        FOREIGN_KEY,
    ),
    (
        "STO033",
        lustre(f"capacity_gib: 1200, kms: {FOREIGN_KEY}"),
        "storage.lustre.fast.kms",
        FOREIGN_KEY,
    ),
    ("STO033", home(f"throughput_mbps: 160, kms: {FOREIGN_KEY}"), "storage.home.kms", FOREIGN_KEY),
    (
        "STO034",
        bucket(f"kms: {KEY}") | {"account": '"444455556666"'},
        "storage.buckets.data.kms",
        KEY,
    ),
    ("STO025", storage("express: {hot: {}}") | {"name": "sthree-lab"}, "name", "sthree-lab"),
    ("STO025", bucket("existing: research..datasets"), "storage.buckets.data.existing", "research..datasets"),
    ("STO025", storage("express: {hot: {existing: hot}}"), "storage.express.hot.existing", "hot"),
    ("STO026", bucket("pools: []"), "storage.buckets.data", "data"),
    (
        "STO026",
        lustre("capacity_gib: 1200", "web: {instance_type: m7i.large, count: 1}", buckets=""),
        "storage.lustre.fast",
        "fast",
    ),
    ("STO027", home("throughput_mbps: 160", "us-east-1", "use1-dfw2-az1"), "storage.home", "home"),
    (
        "STO031",
        lustre("capacity_gib: 4800, throughput_mbps_per_tib: 1000, efa: true")
        | {"region": "us-east-1", "zone": "use1-dfw2-az1"},
        "storage.lustre.fast",
        "fast",
    ),
    (
        "STO031",
        tiered("throughput_mbps: 4000") | {"region": "il-central-1", "zone": "ilc1-az1"},
        "storage.lustre.fast",
        "fast",
    ),
    (
        "STO031",
        lustre("capacity_gib: 1200") | {"region": "me-central-1", "zone": "mec1-az1"},
        "storage.lustre.fast",
        "fast",
    ),
    (
        "STO028",
        lustre(
            "capacity_gib: 1200, links: [{bucket: data, path: /data, export: [new]}]",
            buckets="data: {read_only: true}",
        ),
        "storage.lustre.fast.links[0].export",
        "export",
    ),
    (
        "STO029",
        home("throughput_mbps: 160, quotas: [{user: 1, gib: 9}, {group: 1, gib: 9}, {user: 1, gib: 8}]"),
        "storage.home.quotas[2]",
        "{user: 1, gib: 8}",
    ),
]

NEAR_MISSES: list[tuple[str, Sections]] = [
    ("STO001", lustre("capacity_gib: 1200")),
    ("STO001", lustre("capacity_gib: 19200, throughput_mbps_per_tib: 1000, efa: true")),
    ("STO002", lustre("capacity_gib: 1200, metadata_iops: 1500")),
    ("STO002", tiered("throughput_mbps: 4000, metadata_iops: 12000")),
    ("STO003", tiered("throughput_mbps: 2000000")),
    ("STO004", tiered("throughput_mbps: 8000, read_cache_gib: 64")),
    ("STO004", tiered("throughput_mbps: 8000, read_cache_gib: 0")),
    ("STO005", lustre(f"capacity_gib: 1200, links: [{LINK}]")),
    (
        "STO006",
        lustre(
            "capacity_gib: 1200, "
            "links: [{bucket: data, path: /a, prefix: x/}, {bucket: data, path: /ab, prefix: y/}]"
        ),
    ),
    (
        "STO007",
        lustre(
            "capacity_gib: 1200, links: ["
            + ", ".join(f"{{bucket: data, path: /d{at}, prefix: p{at}/}}" for at in range(8))
            + "]"
        ),
    ),
    ("STO008", tiered("throughput_mbps: 4000")),
    ("STO009", lustre("capacity_gib: 1200, backup_days: 7")),
    (
        "STO010",
        storage(
            "lustre: {a: {capacity_gib: 1200}}, local_nvme: {}, "
            "home: {kind: openzfs, capacity_gib: 64, throughput_mbps: 160}"
        ),
    ),
    (
        "STO011",
        storage("lustre: {a: {capacity_gib: 1200, mount: /fsx}, b: {capacity_gib: 1200, mount: /fsx-b}}"),
    ),
    ("STO012", lustre("capacity_gib: 1200, mount: /var/data")),
    ("STO012", lustre("capacity_gib: 1200, mount: /users")),
    ("STO013", bucket("pools: [train, system]")),
    ("STO014", storage("local_nvme: {}", G5)),
    ("STO015", storage("local_nvme: {}")),
    ("STO016", storage("express: {hot: {}}")),
    (
        "STO017",
        lustre(
            "capacity_gib: 4800, throughput_mbps_per_tib: 1000, efa: true", TRN2, P5EN.replace("train", "gpu")
        ),
    ),
    ("STO018", home("throughput_mbps: 1280")),
    ("STO018", home("throughput_mbps: 64, deployment: single-az-1")),
    ("STO019", home("throughput_mbps: 160, deployment: single-az-ha-2")),
    ("STO019", home("throughput_mbps: 64, deployment: single-az-1", "me-central-1", "mec1-az1")),
    ("STO019", home("throughput_mbps: 320", "sa-east-1", "sae1-az1") | {"also": "ZON004"}),
    ("STO020", home("throughput_mbps: 160, iops: 3072")),
    ("STO020", home("throughput_mbps: 160, iops: 400000")),
    (
        "STO020",
        home("throughput_mbps: 160, iops: 51200", "eu-west-2", "euw2-az1") | {"also": "ZON004"},
    ),
    ("STO018", home("throughput_mbps: 7680, deployment: multi-az-1")),
    ("STO021", bucket("transitions: {glacier_ir: 30, glacier: 31}")),
    ("STO030", bucket("transitions: {standard_ia: 30, glacier: 60}")),
    ("STO022", bucket("transitions: {glacier_ir: 90}, expire_days: 91, noncurrent_days: 7")),
    ("STO023", bucket("expire_days: 60, noncurrent_days: 7")),
    ("STO023", bucket("expire_days: 60, versioned: false")),
    ("STO024", bucket("", LONG) | {"name": "b" * 6}),
    ("STO024", storage("express: {shards: {}}") | {"name": "atlas-research-production"}),
    ("STO032", lustre("capacity_gib: 1200", *many_pools(29))),
    (
        "STO006",
        lustre(
            "capacity_gib: 1200, links: [{bucket: data, path: /a}, {bucket: more, path: /b}]",
            buckets="data: {existing: more}, more: {}",
        ),
    ),
    ("STO033", bucket(f"kms: {KEY}")),
    ("STO034", bucket(f"kms: {KEY}")),
    ("STO034", bucket(f"kms: {KEY}") | {"account": '"111122223333"'}),
    (
        "STO032",
        lustre("capacity_gib: 4800, throughput_mbps_per_tib: 1000, efa: true", *many_pools(59)),
    ),
    ("STO025", bucket("existing: research.datasets")),
    ("STO025", bucket("existing: research.datasets") | {"name": "xn"}),
    ("STO025", storage("express: {hot: {existing: hot--usw2-az3--x-s3}}") | {"name": "xn"}),
    ("STO016", storage("express: {hot: {existing: hot--use2-az1--x-s3}}") | {"zone": "use2-az3"}),
    ("STO026", bucket("pools: [system]")),
    ("STO027", lustre("capacity_gib: 1200")),
    (
        "STO027",
        lustre("capacity_gib: 1200", "web: {instance_type: p5e.48xlarge, count: 1}")
        | {"region": "us-west-2", "zone": "usw2-phx2-az1"},
    ),
    ("STO031", lustre("capacity_gib: 4800, throughput_mbps_per_tib: 1000, efa: true")),
    ("STO028", lustre(f"capacity_gib: 1200, links: [{LINK}]", buckets="data: {read_only: true}")),
    ("STO029", home("throughput_mbps: 160, quotas: [{user: 1, gib: 9}, {group: 1, gib: 9}]")),
]
