package io.solidus.wallet.cli;

/** How results are written. */
enum Output {
  TEXT,
  JSON
}
