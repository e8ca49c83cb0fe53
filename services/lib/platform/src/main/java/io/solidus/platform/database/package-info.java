/** The service's database. */
@NullMarked
package io.solidus.platform.database;

import org.jspecify.annotations.NullMarked;
