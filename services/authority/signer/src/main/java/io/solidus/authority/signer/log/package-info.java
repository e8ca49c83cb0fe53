/**
 * The sign-log: one hash-chained, fsynced record for every signature, written before the signature
 * is sent. It is compared with the database, so that a rolled back database or log is noticed
 * before anything more is signed.
 */
@NullMarked
package io.solidus.authority.signer.log;

import org.jspecify.annotations.NullMarked;
