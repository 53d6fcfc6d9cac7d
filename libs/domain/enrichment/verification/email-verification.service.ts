import { randomUUID } from 'node:crypto';
import { MailboxProbePort, type ProbeAnswer } from '@adapters/probe';
import { type WorkspaceScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { isFreeMail } from '@platform/validation';
import pLimit from 'p-limit';
import { type DomainFacts } from './domain/domain-facts';
import { findLikelyDomain } from './domain/domain-typo';
import { MailDomainsService } from './domain/mail-domains.service';
import { toVerification, type VerificationResponse, type VerifyEmailRequest } from './dto/verification.dto';
import { isDisposable } from './lists/disposable';
import { isRole } from './lists/role';
import { getVerificationRetryMs } from './retry';
import { type AddressSyntax, type MailboxSyntax, parseAddressSyntax } from './syntax/address-syntax';
import { withTimeBudget } from './time-budget';
import { TimeBudgetExceededError } from './time-budget.errors';
import { decideVerdict, type Silence, type VerdictFacts, type Verification } from './verdict';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** Whether its mail server may be probed, if the operator allows it. Default: yes. */
  readonly probe?: boolean;
  /** Default: in ten seconds. */
  readonly deadline?: Date;
  /** Number of earlier attempts without an answer; each makes the next delay longer. Default: 0. */
  readonly attempts?: number;
}

/** Milliseconds for one address, unless the caller sets a deadline. */
export const TIMEOUT_MS = 10_000;

/**
 * Concurrent DNS resolutions of one process. Waiting for mail servers does not count, so that a list with slow servers
 * does not block other verifications.
 */
const MAX_CONCURRENT_RESOLUTIONS = 100;

/** Milliseconds after its deadline at which an unanswered probe is abandoned. */
const GRACE_MS = 500;

interface Found {
  readonly domain: DomainFacts | null;
  readonly probe: ProbeAnswer | Silence;
}

const PRICE = 1;

/** Milliseconds; with the database queries, the client has its answer within ten seconds. */
const PAID_TIMEOUT_MS = 8_000;

/** Milliseconds after which the reservation of a crashed process expires. */
const RESERVED_MS = 120_000;

/**
 * Verifies email addresses: by syntax, by DNS, by lists, and if the operator allows it by a probe of the mail server.
 * Without an answer in time the result is `unknown`.
 */
@Injectable()
export class EmailVerificationService {
  readonly #resolutions = pLimit(MAX_CONCURRENT_RESOLUTIONS);

  /** Serialises the charges of a workspace: concurrent ones would conflict on its account. */
  readonly #line = new KeyedMutex();

  constructor(
    private readonly domains: MailDomainsService,
    private readonly mailboxes: MailboxProbePort,
    private readonly reservations: CreditsService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws the signal's reason when it is aborted; a finding never throws */
  async verify(email: string, options: VerifyOptions = {}): Promise<Verification> {
    const syntax = parseAddressSyntax(email);
    const found = await this.#find(syntax, options);
    const facts: VerdictFacts = {
      syntax,
      ...found,
      isLiteralPublic: isLiteral(syntax) && this.domains.allows(toIpAddress(syntax)),
      isDisposable: isAtDomain(syntax) && isDisposable(syntax.domain),
      isRole: syntax.kind === 'mailbox' && isRole(syntax.local),
    };
    return this.#toVerification(email, facts, options.attempts ?? 0);
  }

  /**
   * Verifies one address for one credit; an `unknown` result is free.
   * @throws INSUFFICIENT_CREDITS, before any server is asked
   */
  async verifyPaid(workspace: WorkspaceScope, { email }: VerifyEmailRequest): Promise<VerificationResponse> {
    const deadline = this.clock.in(PAID_TIMEOUT_MS);
    const operation = `verification:${randomUUID()}`;
    // Without the address: ledger entries outlive personal data.
    const reason = 'Verification of one address';
    const reservation = { amount: PRICE, reason, operation, ttlMs: RESERVED_MS };
    await this.#inLine(workspace, () => this.reservations.reserve(workspace, reservation));
    const found = await this.#verifyReserved(workspace, operation, email, deadline);
    if (found.result === 'unknown') {
      await this.#inLine(workspace, () => this.reservations.release(workspace, operation));
      return toVerification(found, 0);
    }
    await this.#inLine(workspace, () => this.reservations.settle(workspace, operation, PRICE));
    return toVerification(found, PRICE);
  }

  async #find(syntax: AddressSyntax, { signal, probe = true, deadline }: VerifyOptions): Promise<Found> {
    if (!isAtDomain(syntax) || syntax.remarks.includes('numeric_tld')) return { domain: null, probe: 'not_asked' };
    const until = deadline ?? this.clock.in(TIMEOUT_MS);
    const leftMs = () => until.getTime() - this.clock.now().getTime();
    let domain: DomainFacts | null = null;
    try {
      domain = await withTimeBudget(leftMs(), signal, (timeout) => this.#resolveDomain(syntax.domain, timeout));
      const isProbed = probe && this.mailboxes.isOn && !isDisposable(syntax.domain);
      if (!isProbed || domain.kind !== 'mail') return { domain, probe: 'not_asked' };
      const { hosts } = domain;
      const answer = await withTimeBudget(leftMs() + GRACE_MS, signal, (timeout) =>
        this.#ask(syntax, hosts, timeout, until),
      );
      return { domain, probe: answer };
    } catch (error) {
      if (!(error instanceof TimeBudgetExceededError)) throw error;
      return { domain, probe: 'out_of_time' };
    }
  }

  #resolveDomain(domain: string, timeout: AbortSignal): Promise<DomainFacts> {
    return this.#resolutions(() => {
      timeout.throwIfAborted();
      return this.domains.getFacts(domain, timeout);
    });
  }

  #ask(syntax: MailboxSyntax, hosts: readonly string[], signal: AbortSignal, deadline: Date): Promise<ProbeAnswer> {
    return this.mailboxes.ask({ address: syntax.address, hosts, signal, deadline, askCatchAll: true });
  }

  #toVerification(email: string, facts: VerdictFacts, attempts: number): Verification {
    const { syntax, domain, probe, isDisposable, isRole } = facts;
    const { result, reasons } = decideVerdict(facts);
    const answer = typeof probe === 'string' ? null : probe;
    const waitMs =
      result === 'unknown' ? getVerificationRetryMs(reasons, answer?.retryAfterMs ?? null, attempts) : null;
    return {
      email,
      address: syntax.kind === 'mailbox' ? syntax.address : null,
      result,
      reasons,
      isDisposable,
      isRole,
      isFree: isAtDomain(syntax) && isFreeMail(syntax.domain),
      mxHost: answer?.host ?? (domain?.kind === 'mail' ? domain.hosts[0] : null),
      suggestion: findSuggestion(syntax),
      retryAt: waitMs === null ? null : this.clock.in(waitMs),
      isUnasked: isUnasked(facts),
      checkedAt: this.clock.now(),
    };
  }

  async #verifyReserved(
    workspace: WorkspaceScope,
    operation: string,
    email: string,
    deadline: Date,
  ): Promise<Verification> {
    try {
      return await this.verify(email, { deadline });
    } catch (error) {
      await this.#inLine(workspace, () => this.reservations.release(workspace, operation));
      throw error;
    }
  }

  #inLine<T>({ workspaceId }: WorkspaceScope, change: () => Promise<T>): Promise<T> {
    return this.#line.run(workspaceId, change);
  }
}

/** `busy` without a host means that the probe did not connect. */
function isUnasked({ domain, probe }: VerdictFacts): boolean {
  return probe === 'out_of_time' ? domain === null : typeof probe !== 'string' && isOurPause(probe);
}

function isOurPause({ kind, host }: ProbeAnswer): boolean {
  return kind === 'busy' && host === null;
}

function isAtDomain(syntax: AddressSyntax): syntax is MailboxSyntax {
  return syntax.kind === 'mailbox' && syntax.destination === 'domain';
}

function isLiteral(syntax: AddressSyntax): syntax is MailboxSyntax {
  return syntax.kind === 'mailbox' && syntax.destination !== 'domain';
}

/** The address of a literal in common spelling: leading zeros are decimal in SMTP, and octal to most parsers. */
function toIpAddress({ domain, destination }: MailboxSyntax): string {
  const address = domain.slice(1, -1);
  return destination === 'ipv4' ? address.split('.').map(Number).join('.') : address.slice('ipv6:'.length);
}

function findSuggestion(syntax: AddressSyntax): string | null {
  if (syntax.kind === 'header_only') return syntax.mailbox;
  if (!isAtDomain(syntax)) return null;
  const meant = findLikelyDomain(syntax.domain);
  return meant === null ? null : `${syntax.local}@${meant}`;
}
