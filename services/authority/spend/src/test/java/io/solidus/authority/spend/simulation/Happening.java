package io.solidus.authority.spend.simulation;

/** What a world should have seen somewhere among the seeds, or the seeds prove little. */
enum Happening {
  CERTIFIED,
  CONFLICT_REFUSED,
  FINISHED_OUTSIDE_WINDOW,
  LEFT_TO_RECOVERY,
  SHARD_CRASHED,
  SIGNER_CRASHED,
  DATABASE_CRASHED,
  FAILED_OVER,
  WAIT_CANCELLED,
  ROWS_FORGOTTEN,
  LOG_FORGOTTEN,
  SIGNER_REFUSES,
  RANGE_SPLIT,
  REDIRECTED,
  TOKEN_ABUSED
}
