package io.solidus.wallet.store;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.RecoverRecord;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.TransferRecord;
import java.util.ArrayList;
import java.util.List;

/** Encodes coins and the records about them. */
final class CoinCodec {
  /** With the counter of a memo that has more than one payee, or lines of a list. */
  private static final int MANY = 1 << 31;

  private CoinCodec() {}

  static void write(StateWriter out, SignedComplianceCoin signed) {
    ComplianceCoin coin = signed.coin();
    out.field(coin.owner().value())
        .field(coin.rho())
        .u32(coin.period().yyyymm())
        .amount(coin.sent())
        .u32(coin.count())
        .amount(coin.held())
        .field(coin.com())
        .signature(signed.signature());
  }

  static SignedComplianceCoin complianceCoin(StateReader in) {
    ComplianceCoin coin =
        new ComplianceCoin(
            new Apk(in.field()),
            in.field(),
            new Period(in.u32()),
            in.amount(),
            in.u32(),
            in.amount(),
            in.field());
    return new SignedComplianceCoin(coin, in.signature());
  }

  static void write(StateWriter out, OwnedCoin coin) {
    out.origin(coin.origin()).amount(coin.value()).field(coin.rho()).signature(coin.signature());
  }

  static OwnedCoin coin(StateReader in) {
    return new OwnedCoin(in.origin(), in.amount(), in.field(), in.signature());
  }

  static void write(StateWriter out, ReceivedCoin received) {
    out.origin(received.origin())
        .amount(received.value())
        .field(received.rho())
        .u64(received.atMillis())
        .text(received.reference());
  }

  static ReceivedCoin received(StateReader in) {
    return new ReceivedCoin(in.origin(), in.amount(), in.field(), in.u64(), in.text());
  }

  static void write(StateWriter out, TransferRecord transfer) {
    out.fixed(transfer.core().bytes())
        .field(transfer.lead().value())
        .u32(transfer.period().yyyymm())
        .field(transfer.randomness())
        .field(transfer.com());
    write(out, transfer.memo());
  }

  static TransferRecord transfer(StateReader in) {
    TxCore core = TxCore.of(in.fixed(32));
    SerialNumber lead = new SerialNumber(in.field());
    Period period = new Period(in.u32());
    FieldElement randomness = in.field();
    FieldElement com = in.field();
    return new TransferRecord(core, lead, period, memo(in), randomness, com);
  }

  static void write(StateWriter out, AbandonedTransfer transfer) {
    out.fixed(transfer.core().bytes())
        .field(transfer.lead().value())
        .u32(transfer.period().yyyymm())
        .text(transfer.reason().code());
    write(out, transfer.memo());
  }

  static AbandonedTransfer abandoned(StateReader in) {
    TxCore core = TxCore.of(in.fixed(32));
    SerialNumber lead = new SerialNumber(in.field());
    Period period = new Period(in.u32());
    RejectionCode reason = RejectionCode.of(in.text()).orElseThrow();
    return new AbandonedTransfer(core, lead, period, memo(in), reason);
  }

  static void write(StateWriter out, RecoverRecord recover) {
    RecoverMemo memo = recover.memo();
    out.fixed(recover.core().bytes())
        .field(recover.lead().value())
        .u64(memo.atMillis())
        .u32(memo.period().yyyymm())
        .amount(memo.sent())
        .u32(memo.count())
        .amount(memo.held())
        .field(memo.com())
        .amount(memo.returned())
        .amount(memo.outflow())
        .amount(memo.budget())
        .field(memo.first())
        .field(memo.second())
        .u32(memo.unfinished())
        .each(memo.claimed(), StateWriter::field)
        .field(recover.randomness())
        .field(recover.returnedRho())
        .each(recover.below(), (w, core) -> w.fixed(core.bytes()))
        .u32(recover.transfers())
        .amount(recover.lost());
  }

  static RecoverRecord recover(StateReader in) {
    TxCore core = TxCore.of(in.fixed(32));
    SerialNumber lead = new SerialNumber(in.field());
    RecoverMemo memo =
        new RecoverMemo(
            in.u64(),
            new Period(in.u32()),
            in.amount(),
            in.u32(),
            in.amount(),
            in.field(),
            in.amount(),
            in.amount(),
            in.amount(),
            in.field(),
            in.field(),
            in.u32(),
            in.each(StateReader::field));
    return new RecoverRecord(
        core,
        lead,
        memo,
        in.field(),
        in.field(),
        in.each(r -> TxCore.of(r.fixed(32))),
        in.u32(),
        in.amount());
  }

  private static void write(StateWriter out, Memo memo) {
    boolean many = memo.payees().size() > 1 || memo.bulk() != null;
    out.u32(many ? memo.counter() | MANY : memo.counter())
        .u64(memo.atMillis())
        .amount(memo.payees().getFirst().amount());
    write(out, memo.recipient());
    out.amount(memo.withdrawn())
        .each(
            memo.inputs(),
            (w, input) -> w.origin(input.origin()).amount(input.value()).field(input.rho()))
        .u32(memo.unfinished())
        .text(memo.reference());
    if (many) {
      out.each(
              memo.payees().subList(1, memo.payees().size()),
              (w, payee) -> {
                write(w, payee.to());
                w.amount(payee.amount()).text(payee.reference());
              })
          .optional(
              memo.bulk(),
              (w, bulk) ->
                  w.fixed(bulk.tag().value().bytes()).each(bulk.numbers(), StateWriter::u32));
    }
  }

  private static Memo memo(StateReader in) {
    int counter = in.u32();
    boolean many = (counter & MANY) != 0;
    long atMillis = in.u64();
    Amount paid = in.amount();
    Address recipient = address(in);
    Amount withdrawn = in.amount();
    List<SpentInput> inputs = in.each(r -> new SpentInput(r.origin(), r.amount(), r.field()));
    int unfinished = in.u32();
    List<PaymentOrder> payees = new ArrayList<>();
    payees.add(new PaymentOrder(recipient, paid, in.text()));
    BulkLines bulk = null;
    if (many) {
      payees.addAll(in.each(r -> new PaymentOrder(address(r), r.amount(), r.text())));
      bulk = in.optional(CoinCodec::bulk);
    }
    return new Memo(counter & ~MANY, atMillis, payees, withdrawn, inputs, unfinished, bulk);
  }

  private static BulkLines bulk(StateReader in) {
    return new BulkLines(
        new BulkTag(Digest32.of(in.fixed(Digest32.BYTES))), in.each(StateReader::u32));
  }

  private static void write(StateWriter out, Address address) {
    out.field(address.apk().value())
        .fixed(address.encryptionKey().bytes())
        .text(address.mailbox().host());
  }

  private static Address address(StateReader in) {
    return new Address(
        new Apk(in.field()),
        new EncryptionKey(in.fixed(EncryptionKey.BYTES)),
        new Mailbox(in.text()));
  }
}
