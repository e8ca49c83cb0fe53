package io.solidus.authority.common.rules;

import io.solidus.authority.spend.rules.AdmissionWindows;
import java.time.Duration;

/**
 * The settings of {@link RulesConfiguration}, from the properties of the process.
 *
 * @param refreshInterval between two reads of the authority's database
 */
public record RuleSettings(AdmissionWindows windows, Duration refreshInterval) {}
