package io.solidus.wallet.cli;

/** Formats of results. */
enum OutputFormat {
  TEXT,
  JSON
}
