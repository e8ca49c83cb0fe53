package io.solidus.wallet.flow;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The faults of the fake gateway; none at first. */
final class GatewayFaults {
  /** The gateway says nothing of claims of 16. */
  volatile boolean withoutShapes;

  /** The number of transfers that are signed and whose answers are lost. */
  final AtomicInteger lostReplies = new AtomicInteger();

  /** The number of transfers that reach no authority. */
  final AtomicInteger lostRequests = new AtomicInteger();

  /** The combined signature is invalid; the partial signatures are valid. */
  volatile boolean wrongCombined;

  /**
   * The number of partial signatures in an answer; with fewer than all, the combination is invalid.
   */
  volatile int partialsKept = Integer.MAX_VALUE;

  /** Refuses messages with a tag, as a gateway of an older release does. */
  volatile boolean knowsNoTags;

  /** Answers that nothing was posted with any tag. */
  volatile boolean dropsTags;

  /** Shows a message with a tag to whoever waits, and has it nowhere else. */
  volatile boolean keepsTaggedOnly;

  /** Answers no question for a tag. */
  volatile boolean tagsDown;

  /** Posts to the mailbox fail. */
  volatile boolean mailboxDown;

  /** The number that the gateway gives to a posted message; 0 for the true one. */
  volatile long postedNumber;

  /** Answers instead of the next pages of the mailbox, in this order. */
  final Queue<Supplier<Map<String, Object>>> mailboxPages = new ConcurrentLinkedQueue<>();

  /** The next blob that is posted is refused for good. */
  volatile boolean refusesNextBlob;

  /** Changes of the next pages of buckets, in this order. */
  final Queue<UnaryOperator<byte[]>> bucketPages = new ConcurrentLinkedQueue<>();

  /** Blobs that the mailbox refuses for good. */
  final Set<String> refusedBlobs = ConcurrentHashMap.newKeySet();

  /** Payout requests fail. */
  volatile boolean redemptionDown;

  /** Every serial number is reported as unspent; what authorities signed otherwise is left out. */
  volatile boolean hidesSpentCoins;

  /** Look-ups show no stored request. */
  volatile boolean stripsRequests;

  /** Changes what authorities signed about serial numbers. */
  volatile UnaryOperator<List<SignedStates>> signedStates = UnaryOperator.identity();

  /** By index, the floors that an authority signs; null for those of the rules. */
  volatile IntFunction<@Nullable StateFloors> floors = authority -> null;

  /** When set, the gateway refuses transfers with this code, and no authority sees them. */
  volatile @Nullable RejectionCode refusesTransfers;

  /** Look-ups of serial numbers fail. */
  volatile boolean coinStatesDown;

  /** By index, how a lying authority changes its answer for a serial number. */
  final Map<Integer, BiFunction<SerialNumber, Optional<TransferRequest>, Optional<TransferRequest>>>
      lookUps = new ConcurrentHashMap<>();

  /** The kind of network in the gateway's description; null for the true one. */
  volatile @Nullable String kind;

  /** The address of the other services in the gateway's description; null for the true one. */
  volatile @Nullable URI services;

  /** The key manifest and the line of its signature; null for those of the test's keys. */
  volatile @Nullable Map<String, byte[]> keys;

  volatile UnaryOperator<String> policyNote = note -> note;
  volatile UnaryOperator<String> checkpointNote = note -> note;
  volatile UnaryOperator<byte[]> list = list -> list;
  volatile UnaryOperator<byte[]> proof = proof -> proof;

  /**
   * Called with the route of every exchange, as "before" when it arrives and as "after" when it is
   * done and its answer has not left.
   */
  volatile Consumer<String> onExchange = exchange -> {};

  /** Called with every transfer as it arrives. */
  volatile @Nullable Consumer<TransferRequest> onTransfer;

  /** Called with every recover as it arrives. */
  volatile @Nullable Consumer<RecoverRequest> onRecover;
}
