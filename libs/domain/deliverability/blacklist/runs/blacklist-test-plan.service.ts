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
import { SendingAddressesService } from './sending-addresses.service';

/** Addresses of a host that are looked up of each family: who has more of them shares them with many. */
const MOST_OF_HOST = 4;
/** Hosts that are asked for at one time. */
const HOSTS_AT_ONCE = 16;
/** What says something about a host; after anything else nothing is known. */
const ANSWERS: ReadonlySet<string> = new Set<DnsAnswer<string>['kind']>(['records', 'nxdomain', 'nodata']);

type HostAddresses = { readonly subjects: readonly Subject[]; readonly notChecked: NotChecked['reason'] | null };

/** Finds out what is to be looked up for the mailboxes of a test: the domains of their addresses, and where they send from. */
@Injectable()
export class BlacklistTestPlanService {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly learned: SendingAddressesService,
    private readonly dns: DnsPort,
  ) {}

  /** @throws the signal's reason */
  async make({ workspaceId, mailboxes }: BlacklistTestRecord, signal: AbortSignal): Promise<PlannedMailbox[]> {
    const ids = mailboxes.map(({ mailboxId }) => mailboxId);
    const found = await this.mailboxes.listAll(workspaceId, ids);
    const known = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    const learned = await this.learned.of(workspaceId, ids);
    const hosts = await this.#hosts(found, signal);
    return mailboxes.map(({ mailboxId, email }) => {
      const mailbox = known.get(mailboxId.toHexString());
      if (!mailbox)
        return { mailboxId, email, subjects: [], notChecked: [{ what: 'mailbox', reason: 'mailbox_gone' }] };
      const seen = learned.get(mailboxId.toHexString()) ?? [];
      return plannedMailbox(mailbox, seen, mailbox.smtpHost === null ? undefined : hosts.get(mailbox.smtpHost));
    });
  }

  /** The addresses of the SMTP hosts of custom mailboxes, each host asked for once. */
  async #hosts(mailboxes: readonly MailboxFacts[], signal: AbortSignal): Promise<Map<string, HostAddresses>> {
    const names = mailboxes.flatMap(({ provider, smtpHost }) => (provider === 'custom' && smtpHost ? [smtpHost] : []));
    const limit = pLimit(HOSTS_AT_ONCE);
    const found = [...new Set(names)].map((host) =>
      limit(async (): Promise<[string, HostAddresses]> => [host, await this.#host(host, signal)]),
    );
    return new Map(await Promise.all(found));
  }

  async #host(host: string, signal: AbortSignal): Promise<HostAddresses> {
    const literal = addressSubject(host);
    if (literal !== null) return ofAddresses([literal]);
    signal.throwIfAborted();
    const answers = await Promise.all([
      this.dns.query(host, 'A', { signal }),
      this.dns.query(host, 'AAAA', { signal }),
    ]);
    const records = answers.flatMap((answer) =>
      answer.kind === 'records' ? [...answer.records].toSorted().slice(0, MOST_OF_HOST) : [],
    );
    const found = ofAddresses(records.map(addressSubject));
    if (answers.some(({ kind }) => !ANSWERS.has(kind))) return { ...found, notChecked: 'host_unanswered' };
    return records.length > 0 ? found : { ...found, notChecked: 'host_unknown' };
  }
}

function ofAddresses(found: readonly ReturnType<typeof addressSubject>[]): HostAddresses {
  const subjects = found.filter((one) => one !== null && one !== 'private');
  return { subjects, notChecked: subjects.length === 0 ? 'private_address' : null };
}

/**
 * What was seen of a mailbox is looked up besides its SMTP host: mail that is handed in there may leave from elsewhere. Google and
 * Microsoft send from addresses that everybody there shares.
 */
function plannedMailbox(
  { _id: mailboxId, email }: Pick<MailboxFacts, '_id' | 'email'>,
  seen: readonly string[],
  host: HostAddresses | undefined,
): PlannedMailbox {
  const addresses: PlannedSubject[] = [
    ...seen.map(addressSubject).flatMap((one) => (one === null || one === 'private' ? [] : [sourced(one, 'learned')])),
    ...(host?.subjects ?? []).map((one) => sourced(one, 'smtp_host')),
  ];
  const reason = host ? host.notChecked : 'shared_addresses';
  // Other addresses make up for those that are not looked up, but not for those that nobody knows now.
  const isTold = reason === 'host_unanswered' || addresses.length === 0;
  const notChecked: NotChecked[] = isTold && reason !== null ? [{ what: 'addresses', reason }] : [];
  return { mailboxId, email, subjects: unique([...domainsOf(email), ...addresses]), notChecked };
}

/** Lists of domains have those that were registered; some have subdomains as well. */
function domainsOf(email: string): PlannedSubject[] {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const registered = getCompanyDomain(domain);
  const own = sourced({ subject: domain, kind: 'domain' }, 'domain');
  return registered === domain ? [own] : [own, sourced({ subject: registered, kind: 'domain' }, 'registered_domain')];
}

function sourced({ subject, kind }: Subject, source: PlannedSubject['source']): PlannedSubject {
  return { subject, kind, source };
}

function unique(subjects: readonly PlannedSubject[]): PlannedSubject[] {
  const known = new Map<string, PlannedSubject>();
  for (const one of subjects) if (!known.has(one.subject)) known.set(one.subject, one);
  return [...known.values()];
}
