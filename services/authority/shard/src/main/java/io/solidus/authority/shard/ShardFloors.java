package io.solidus.authority.shard;

import io.solidus.authority.common.FloorsRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.platform.database.DurableMark;
import io.solidus.protocol.Committee;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The floors that this shard promises with each signed look-up. They follow the rules in force, are
 * on disk before a signature over them leaves, and never fall: a clock that goes back, rules that
 * are learned anew, or a range that came from another shard lower nothing. Whoever reserves a lead
 * serial number compares with the row in its own transaction, so a core that passed the windows
 * before the floors rose is reserved before they do, or never.
 */
final class ShardFloors {

  /** A certificate with more wrong votes is not looked at any further. */
  private static final int MOST_WRONG = 2;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String schema;
  private final Committee committee;
  private final Supplier<StateFloors> rules;
  private final InstantSource clock;
  private volatile StateFloors promised = StateFloors.NONE;

  /** Whether the row was read since the start. */
  private boolean known;

  /**
   * Makes the floors of a shard; {@link #raise} reads what it promised before.
   *
   * @param transaction whose commit is durable
   * @param rules the oldest rules that the windows still let a new core name
   */
  ShardFloors(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      int shard,
      Committee committee,
      Supplier<StateFloors> rules,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.schema = ShardSchema.name(shard);
    this.committee = committee;
    this.rules = rules;
    this.clock = clock;
  }

  /**
   * The floors that may be signed: they are on disk. Whoever signs them beside rows reads the rows
   * afterwards.
   */
  StateFloors promised() {
    return promised;
  }

  /**
   * Raises the floors to the rules in force. Reservations in progress end before.
   *
   * @throws org.springframework.dao.DataAccessException when the row may not be durable; what is
   *     promised stays as it is
   */
  synchronized void raise() {
    StateFloors wanted = promised.max(rules.get());
    if (known && wanted.equals(promised)) {
      return;
    }
    promised =
        transaction.execute(status -> {
          StateFloors raised = FloorsRow.raise(jdbc, schema, wanted);
          if (!raised.equals(promised)) {
            // an attempt before this one may have left the row, with a commit that is not confirmed
            DurableMark.leave(jdbc);
          }
          return raised;
        });
    known = true;
  }

  /**
   * Refuses an old core before anything is spent on it.
   *
   * @throws ProtocolException stale-policy, stale-checkpoint or stale-period
   */
  void require(TransferRequest request) {
    promised.require(request.evidence(), request.statement().period());
  }

  /**
   * The cores that may not be reserved for the first time: those below the floors, unless f+1 valid
   * votes carry them. In the transaction that would reserve them.
   */
  Map<TxCore, ProtocolException> refuse(List<SpendRequest<Transfer>> fresh) {
    StateFloors row = FloorsRow.readForShare(jdbc, schema);
    Map<TxCore, ProtocolException> refused = new HashMap<>();
    for (SpendRequest<Transfer> request : fresh) {
      TransferRequest transfer = request.content().request();
      try {
        row.require(transfer.evidence(), transfer.statement().period());
      } catch (ProtocolException e) {
        if (!carried(request.core(), transfer)) {
          refused.put(request.core(), e);
        }
      }
    }
    return refused;
  }

  private boolean carried(TxCore core, TransferRequest request) {
    int right = 0;
    int wrong = 0;
    for (PartialSignature partial : request.certificate()) {
      if (partial.votesFor(core, committee, clock.instant())) {
        right++;
      } else {
        wrong++;
      }
      if (right == committee.weakQuorum() || wrong > MOST_WRONG) {
        break;
      }
    }
    return right == committee.weakQuorum();
  }
}
