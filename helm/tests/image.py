"""Starts processes from the layers of an image, without a container engine.

The process has the image's files as its root, read-only, the pod's volumes in their places, the pod's user and groups, and
nothing of this machine but /dev, /proc and the network.
"""

import json
import os
import pathlib
import shlex
import shutil
import tarfile

# what a container engine gives as well
FROM_THE_MACHINE = ("/dev", "/proc")


class Image:
    """An image of an OCI layout, unpacked into a folder."""

    def __init__(self, layout, manifest, root):
        self.root = root
        self.config = self.blob(layout, manifest["config"]["digest"])["config"]
        for layer in manifest["layers"]:
            with tarfile.open(self.file(layout, layer["digest"])) as files:
                files.extractall(root, filter="fully_trusted")

    @staticmethod
    def file(layout, digest):
        return layout / "blobs" / digest.replace(":", "/")

    @staticmethod
    def blob(layout, digest):
        return json.loads(Image.file(layout, digest).read_text())

    @staticmethod
    def of(images, name, folder):
        """The image with this name, or None if the layout has none."""
        layout = pathlib.Path(images) / "oci"
        for entry in json.loads((layout / "index.json").read_text())["manifests"]:
            if entry.get("annotations", {}).get("org.opencontainers.image.ref.name") == name:
                root = folder / name
                root.mkdir(parents=True)
                return Image(layout, Image.blob(layout, entry["digest"]), root)
        return None

    def command(self, user, group, mounts, environment, command):
        """The command that runs another one in the image. `mounts` are (folder here, path there, read-only)."""
        root = str(self.root)
        steps = [f"mount --bind {root} {root}"]
        for here, there, read_only in [*((p, p, False) for p in FROM_THE_MACHINE), *mounts]:
            place = self.root / there.lstrip("/")
            if not place.exists():
                if pathlib.Path(here).is_dir():
                    place.mkdir(parents=True)
                else:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.touch()
            steps.append(f"mount --bind {shlex.quote(str(here))} {shlex.quote(str(place))}")
            if read_only:
                steps.append(f"mount -o remount,ro,bind {shlex.quote(str(place))}")
        steps.append(f"mount -o remount,ro,bind {root}")
        variables = {**dict(v.split("=", 1) for v in self.config.get("Env", [])), **environment}
        inside = ["env", "-i", *(f"{name}={value}" for name, value in variables.items()), shutil.which("chroot")]
        inside += [f"--userspec={user}:{group}", f"--groups={group}", root, *command]
        steps.append("exec " + " ".join(map(shlex.quote, inside)))
        return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", "\n".join(steps)]


def readable(volume, group):
    """What a kubelet does for fsGroup: the group has what its mode gives it."""
    for folder, _, files in os.walk(volume):
        os.chown(folder, 0, group)
        pathlib.Path(folder).chmod(0o2775)
        for name in files:
            os.chown(pathlib.Path(folder) / name, 0, group)
