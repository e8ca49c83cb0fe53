package io.solidus.loadtest.bench;

import com.google.protobuf.ByteString;
import io.solidus.protocol.SerialNumber;

/** A prepared transfer: its lead serial number and its wire message. */
record EncodedTransfer(SerialNumber lead, ByteString request) {}
