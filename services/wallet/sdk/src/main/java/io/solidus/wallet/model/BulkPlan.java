package io.solidus.wallet.model;

/**
 * What paying the open lines of a list takes. The limits, as of now, allow it.
 *
 * @param status of the lines, those with a listed payee marked
 * @param proofs how many proofs the payments need, claims of coins before them included; in an
 *     unregulated network without transfers that merge coins
 * @param payeesPerProof the most that one proof pays: 1 where the network has no shape for more
 * @param isDenied whether this wallet's keys have a shape for more and only the gateway does not
 *     take it: one that lies learns from single payments how many are paid
 * @param doubts why somebody may be paid twice: then {@code payMany} pays nothing
 */
public record BulkPlan(
    BulkStatus status, int proofs, int payeesPerProof, boolean isDenied, BulkDoubts doubts) {}
