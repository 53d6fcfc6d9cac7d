import { DnsPort, type DnsAnswer } from '@adapters/dns';
import { MailboxRepository, type MailboxFacts } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { getCompanyDomain } from '@platform/validation';
import pLimit from 'p-limit';
import { type Subject } from '../lookups/listing-name';
import {
  type BlacklistTestRecord,
  type NotChecked,
  type PlannedMailbox,
  type PlannedSubject,
} from '../schemas/blacklist-test.record';
import { addressSubject } from './public-address';
import { SendingAddressRepository } from './sending-address.repository';

/** Addresses of a host that are queried per family: hosts with more share them widely. */
const MOST_OF_HOST = 4;
/** Hosts that are resolved at the same time. */
const HOSTS_AT_ONCE = 16;
/** Conclusive DNS answers. */
const ANSWERS: ReadonlySet<string> = new Set<DnsAnswer<string>['kind']>(['records', 'nxdomain', 'nodata']);

type HostAddresses = { readonly subjects: readonly Subject[]; readonly notChecked: NotChecked['reason'] | null };

/** Plans the subjects of a test: the domains of its mailboxes and their sending addresses. */
@Injectable()
export class BlacklistTestPlanService {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly addresses: SendingAddressRepository,
    private readonly dns: DnsPort,
  ) {}

  /** @throws the signal's reason */
  async createPlan({ workspaceId, mailboxes }: BlacklistTestRecord, signal: AbortSignal): Promise<PlannedMailbox[]> {
    const ids = mailboxes.map(({ mailboxId }) => mailboxId);
    const found = await this.mailboxes.listAll(workspaceId, ids);
    const known = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    const learned = await this.addresses.listByMailbox(workspaceId, ids);
    const hosts = await this.#resolveHosts(found, signal);
    return mailboxes.map(({ mailboxId, email }) => {
      const mailbox = known.get(mailboxId.toHexString());
      if (!mailbox)
        return { mailboxId, email, subjects: [], notChecked: [{ what: 'mailbox', reason: 'mailbox_deleted' }] };
      const seen = learned.get(mailboxId.toHexString()) ?? [];
      return planMailbox(mailbox, seen, mailbox.smtpHost === null ? undefined : hosts.get(mailbox.smtpHost));
    });
  }

  /** Resolves the SMTP hosts of custom mailboxes, each once. */
  async #resolveHosts(mailboxes: readonly MailboxFacts[], signal: AbortSignal): Promise<Map<string, HostAddresses>> {
    const names = mailboxes.flatMap(({ provider, smtpHost }) => (provider === 'custom' && smtpHost ? [smtpHost] : []));
    const limit = pLimit(HOSTS_AT_ONCE);
    const found = [...new Set(names)].map((host) =>
      limit(async (): Promise<[string, HostAddresses]> => [host, await this.#resolveHost(host, signal)]),
    );
    return new Map(await Promise.all(found));
  }

  async #resolveHost(host: string, signal: AbortSignal): Promise<HostAddresses> {
    const literal = addressSubject(host);
    if (literal !== null) return toHostAddresses([literal]);
    signal.throwIfAborted();
    const answers = await Promise.all([
      this.dns.query(host, 'A', { signal }),
      this.dns.query(host, 'AAAA', { signal }),
    ]);
    const records = answers.flatMap((answer) =>
      answer.kind === 'records' ? [...answer.records].toSorted().slice(0, MOST_OF_HOST) : [],
    );
    const found = toHostAddresses(records.map(addressSubject));
    if (answers.some(({ kind }) => !ANSWERS.has(kind))) return { ...found, notChecked: 'host_unanswered' };
    return records.length > 0 ? found : { ...found, notChecked: 'host_unknown' };
  }
}

function toHostAddresses(found: readonly ReturnType<typeof addressSubject>[]): HostAddresses {
  const subjects = found.filter((one) => one !== null && one !== 'private');
  return { subjects, notChecked: subjects.length === 0 ? 'private_address' : null };
}

/**
 * Learned addresses are added to those of the SMTP host, which may relay mail elsewhere. Google and Microsoft send from addresses
 * that all their customers share.
 */
function planMailbox(
  { _id: mailboxId, email }: Pick<MailboxFacts, '_id' | 'email'>,
  seen: readonly string[],
  host: HostAddresses | undefined,
): PlannedMailbox {
  const addresses: PlannedSubject[] = [
    ...seen
      .map(addressSubject)
      .flatMap((one) => (one === null || one === 'private' ? [] : [toPlannedSubject(one, 'learned')])),
    ...(host?.subjects ?? []).map((one) => toPlannedSubject(one, 'smtp_host')),
  ];
  const reason = host ? host.notChecked : 'shared_addresses';
  // Learned addresses replace unqueried ones, except after a DNS failure.
  const isTold = reason === 'host_unanswered' || addresses.length === 0;
  const notChecked: NotChecked[] = isTold && reason !== null ? [{ what: 'addresses', reason }] : [];
  return { mailboxId, email, subjects: deduplicate([...listDomains(email), ...addresses]), notChecked };
}

/** Domain lists contain registered domains, and some subdomains too. */
function listDomains(email: string): PlannedSubject[] {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const registered = getCompanyDomain(domain);
  const own = toPlannedSubject({ subject: domain, kind: 'domain' }, 'domain');
  return registered === domain
    ? [own]
    : [own, toPlannedSubject({ subject: registered, kind: 'domain' }, 'registered_domain')];
}

function toPlannedSubject({ subject, kind }: Subject, source: PlannedSubject['source']): PlannedSubject {
  return { subject, kind, source };
}

function deduplicate(subjects: readonly PlannedSubject[]): PlannedSubject[] {
  const known = new Map<string, PlannedSubject>();
  for (const one of subjects) if (!known.has(one.subject)) known.set(one.subject, one);
  return [...known.values()];
}
