package io.solidus.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.bank.BankProperties;
import io.solidus.platform.bank.BankProperties.Bank;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.bank.RequestScope;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import tools.jackson.databind.json.JsonMapper;

class StaffBankTest {
  private static final Banks BANKS =
      new Banks(
          new BankProperties(
              List.of(new Bank("here", "", List.of()), new Bank("there", "", List.of())),
              "",
              "centre"));

  @AfterEach
  void logOut() {
    SecurityContextHolder.clearContext();
  }

  /** The scope of a token's owner; empty when she is refused. */
  private static Optional<BankScope> scope(
      String central, String claim, String role, Map<String, Object> claims)
      throws IOException, ServletException {
    Jwt token =
        Jwt.withTokenValue("token")
            .header("alg", "none")
            .subject("olga")
            .claims(all -> all.putAll(claims))
            .build();
    SecurityContextHolder.getContext()
        .setAuthentication(
            new JwtAuthenticationToken(token, List.of(new SimpleGrantedAuthority("ROLE_" + role))));
    MockHttpServletRequest request = new MockHttpServletRequest("GET", "/admin/v1/cases");
    MockHttpServletResponse response = new MockHttpServletResponse();
    MockFilterChain chain = new MockFilterChain();
    new StaffBank(BANKS, central, claim, JsonMapper.shared()).doFilter(request, response, chain);
    if (chain.getRequest() == null) {
      assertThat(response.getStatus()).isEqualTo(403);
      assertThat(response.getContentAsString()).contains("\"code\":\"unknown-staff-bank\"");
      return Optional.empty();
    }
    return Optional.of(RequestScope.of(request));
  }

  @Test
  void theBankIsFoundByItsPath() throws IOException, ServletException {
    assertThat(scope("", "bank", "kyc-operator", Map.of("bank", "here")))
        .contains(BankScope.of("here"));
    assertThat(
            scope("", "org.bank", "kyc-operator", Map.of("org", Map.of("bank", List.of("there")))))
        .contains(BankScope.of("there"));
    assertThat(scope("", "bank", "kyc-operator", Map.of("other", "here")))
        .contains(BankScope.every());
  }

  @Test
  void aStrangeBankIsRefused() throws IOException, ServletException {
    for (Object bank : List.of("elsewhere", "", "HERE", 7, List.of(), List.of("here", "there"))) {
      assertThat(scope("", "bank", "auditor", Map.of("bank", bank))).as("%s", bank).isEmpty();
    }
  }

  @Test
  void withAMarkOfTheCentreNobodyIsCentralByOmission() throws IOException, ServletException {
    assertThat(scope("centre", "bank", "kyc-operator", Map.of())).isEmpty();
    assertThat(scope("centre", "bank", "kyc-operator", Map.of("bank", "centre")))
        .contains(BankScope.every());
    assertThat(scope("centre", "bank", "kyc-operator", Map.of("bank", "here")))
        .contains(BankScope.of("here"));
    assertThat(scope("centre", "bank", "service", Map.of())).contains(BankScope.every());
    assertThat(scope("", "bank", "kyc-operator", Map.of("bank", "centre"))).isEmpty();
  }
}
