package io.solidus.loadtest.bench;

import com.google.protobuf.ByteString;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;

/** A prepared transfer: its lead serial number and its wire message. */
record EncodedTransfer(SerialNumber lead, ByteString request) {

  static EncodedTransfer of(TransferRequest transfer) {
    return new EncodedTransfer(
        transfer.statement().leadSerial(), ByteString.copyFrom(Codecs.toBytes(transfer)));
  }
}
