package io.solidus.loadtest.chaos.oracle;

import io.solidus.loadtest.chaos.load.Book;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.Tap;
import java.util.List;

/**
 * Everything a run leaves behind to be judged.
 *
 * @param quorum 2f+1
 * @param worthMinor what all wallets say they have together
 * @param unsettled transfers of dishonest wallets that some authority never said a final word about
 * @param incidents what went wrong while the run was on
 */
public record Findings(
    int quorum,
    List<Tap.Signed> tap,
    List<Holdings> holdings,
    List<Operation> operations,
    Book.Entries book,
    long worthMinor,
    long unsettled,
    List<String> incidents) {}
