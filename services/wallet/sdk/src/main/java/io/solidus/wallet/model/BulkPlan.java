package io.solidus.wallet.model;

/**
 * What paying the open lines of a list takes. The limits, as of now, allow it.
 *
 * @param status of the lines, those with a listed payee marked
 * @param proofs how many proofs the payments need, claims of coins before them included; in an
 *     unregulated network without transfers that merge coins
 * @param payeesPerProof the most that one proof pays: 1 where the network has no shape for more
 */
public record BulkPlan(BulkStatus status, int proofs, int payeesPerProof) {}
