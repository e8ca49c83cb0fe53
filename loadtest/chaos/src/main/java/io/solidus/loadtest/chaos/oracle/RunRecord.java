package io.solidus.loadtest.chaos.oracle;

import io.solidus.loadtest.chaos.load.CoinLedger;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.SignatureTap;
import java.util.List;

/**
 * Everything that the checks need of a run.
 *
 * @param quorum 2f+1
 * @param worthMinor the money of all wallets
 * @param unsettled transfers of dishonest wallets without a final answer of some authority
 * @param incidents problems that were seen during the run
 */
public record RunRecord(
    int quorum,
    List<SignatureTap.Signed> tap,
    List<AuthorityState> states,
    List<Operation> operations,
    CoinLedger.Entries ledger,
    long worthMinor,
    long unsettled,
    List<String> incidents) {}
