/**
 * The sign-log: one hash-chained, fsynced record for every signature, written before the signature
 * leaves, and checked against the database so that a database or a log that was rolled back is
 * noticed before anything more is signed.
 */
@NullMarked
package io.solidus.authority.signer.log;

import org.jspecify.annotations.NullMarked;
