# Where the development keys of the sandbox are cached: outside the tree, made once by whoever needs them first. The sandbox
# appends a fingerprint of the circuits, so that keys of another build are left alone.

SANDBOX_NETWORK=solidus-dev
SANDBOX_VALIDATORS=4

keys_dir() { echo "$SOLIDUS_HOME/keys/$SANDBOX_NETWORK-$SANDBOX_VALIDATORS"; }
