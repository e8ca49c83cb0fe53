package io.solidus.authority.spend.simulation;

/**
 * A situation that must occur in some of the simulated worlds; otherwise the seeds prove little.
 */
enum CoveragePoint {
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
  TOKEN_ABUSED,
  SHARES_REFRESHED,
  CLOCK_WRONG
}
