import { type BlacklistZone, STANDARD_TEST_POINTS, type TestPoints, type ZoneAccess, type ZoneKind } from './zone';
import { type CodeMeaning, type ZoneCode } from './zone.code';

interface Described {
  readonly name: string;
  readonly weight: number;
  readonly removalUrl: string;
  readonly access?: ZoneAccess;
  readonly codes?: readonly ZoneCode[];
  readonly testPoints?: TestPoints;
}

const abuse = (answer: string, label: string) => code(answer, 'abuse', label);
const policy = (answer: string, label: string) => code(answer, 'policy', label);
const refused = (answer: string, label: string) => code(answer, 'refused', label);

function code(answer: string, means: CodeMeaning, label: string): ZoneCode {
  return { answer, means, label };
}

function of(kind: ZoneKind, zone: string, described: Described): BlacklistZone {
  const defaults = { access: 'open', codes: [], testPoints: STANDARD_TEST_POINTS[kind] } as const;
  return { ...defaults, ...described, zone, kind, suffix: zone };
}

/** https://docs.spamhaus.com, "Available Zones". */
const ZEN: Described = {
  name: 'Spamhaus ZEN',
  weight: 100,
  removalUrl: 'https://check.spamhaus.org/',
  access: 'own_resolver',
  codes: [
    abuse('127.0.0.2', 'SBL: source of spam'),
    abuse('127.0.0.3', 'CSS: spam of low volume or from many addresses'),
    abuse('127.0.0.4-127.0.0.7', 'XBL: infected or abused machine'),
    abuse('127.0.0.9', 'DROP: hijacked or leased network'),
    policy('127.0.0.10-127.0.0.11', 'PBL: addresses that no mail should come from directly'),
    abuse('127.0.0.30', 'BCL: control of a botnet'),
  ],
};

const EATING_MONKEY: Pick<Described, 'weight' | 'removalUrl'> = {
  weight: 30,
  removalUrl: 'https://spameatingmonkey.com/lookup',
};
const UCEPROTECT = 'https://www.uceprotect.net/en/rblcheck.php';
const SPAMRATS = 'https://www.spamrats.com/removal.php';
const DRONEBL: Described = { name: 'DroneBL', weight: 40, removalUrl: 'https://dronebl.org/lookup' };

const ADDRESS_ZONES: readonly BlacklistZone[] = [
  of('ipv4', 'zen.spamhaus.org', ZEN),
  of('ipv6', 'zen.spamhaus.org', ZEN),
  of('ipv4', 'b.barracudacentral.org', {
    name: 'Barracuda Reputation Block List',
    weight: 80,
    removalUrl: 'https://www.barracudacentral.org/rbl/removal-request',
    access: 'registration',
    codes: [abuse('127.0.0.2', 'Source of spam')],
  }),
  of('ipv4', 'bl.spamcop.net', {
    name: 'SpamCop',
    weight: 70,
    removalUrl: 'https://www.spamcop.net/bl.shtml',
    codes: [abuse('127.0.0.2', 'Reported by its users, or sent to spam traps')],
  }),
  of('ipv4', 'bl.mailspike.net', {
    name: 'Mailspike',
    weight: 40,
    removalUrl: 'https://mailspike.org/iplookup.html',
    codes: [
      abuse('127.0.0.2', 'Part of a wave of spam'),
      abuse('127.0.0.10-127.0.0.12', 'Bad, very bad or worst reputation'),
    ],
  }),
  of('ipv4', 'psbl.surriel.com', {
    name: 'Passive Spam Block List',
    weight: 40,
    removalUrl: 'https://psbl.org/remove',
  }),
  of('ipv4', 'dnsbl-1.uceprotect.net', { name: 'UCEPROTECT level 1', weight: 20, removalUrl: UCEPROTECT }),
  // Whole networks and providers are listed there for what single addresses of theirs did.
  of('ipv4', 'dnsbl-2.uceprotect.net', { name: 'UCEPROTECT level 2', weight: 0, removalUrl: UCEPROTECT }),
  of('ipv4', 'dnsbl-3.uceprotect.net', { name: 'UCEPROTECT level 3', weight: 0, removalUrl: UCEPROTECT }),
  of('ipv4', 'ips.backscatterer.org', {
    name: 'Backscatterer',
    weight: 10,
    removalUrl: 'https://www.backscatterer.org/?target=test',
  }),
  of('ipv4', 'dnsbl.dronebl.org', DRONEBL),
  of('ipv6', 'dnsbl.dronebl.org', DRONEBL),
  of('ipv4', 'bl.blocklist.de', {
    name: 'blocklist.de',
    weight: 30,
    removalUrl: 'https://www.blocklist.de/en/delist.html',
  }),
  of('ipv4', 'all.s5h.net', { name: 's5h.net', weight: 20, removalUrl: 'https://www.usenix.org.uk/content/rbl.html' }),
  of('ipv4', 'dnsbl.spfbl.net', {
    name: 'SPFBL',
    weight: 20,
    removalUrl: 'https://spfbl.net/en/delist/',
    codes: [
      abuse('127.0.0.2', 'Bad reputation'),
      policy('127.0.0.3', 'No name of a mail server in reverse DNS'),
      policy('127.0.0.4', 'Residential address'),
    ],
  }),
  of('ipv4', 'spam.spamrats.com', { name: 'SpamRATS Spam', weight: 30, removalUrl: SPAMRATS }),
  of('ipv4', 'noptr.spamrats.com', {
    name: 'SpamRATS NoPtr',
    weight: 30,
    removalUrl: SPAMRATS,
    codes: [policy('127.0.0.37', 'No reverse DNS')],
  }),
  of('ipv4', 'dyna.spamrats.com', {
    name: 'SpamRATS Dyna',
    weight: 30,
    removalUrl: SPAMRATS,
    codes: [policy('127.0.0.36', 'Reverse DNS of a dynamic address')],
  }),
  of('ipv4', 'truncate.gbudb.net', {
    name: 'GBUdb Truncate',
    weight: 30,
    removalUrl: 'https://www.gbudb.com/truncate/',
  }),
  of('ipv4', 'bl.spameatingmonkey.net', { name: 'Spam Eating Monkey', ...EATING_MONKEY }),
  of('ipv6', 'bl.ipv6.spameatingmonkey.net', { name: 'Spam Eating Monkey IPv6', ...EATING_MONKEY }),
  of('ipv4', 'bl.nordspam.com', { name: 'NordSpam', weight: 20, removalUrl: 'https://www.nordspam.com/removal/' }),
  of('ipv4', 'db.wpbl.info', { name: 'WPBL', weight: 20, removalUrl: 'https://wpbl.info/' }),
];

const DOMAIN_ZONES: readonly BlacklistZone[] = [
  of('domain', 'dbl.spamhaus.org', {
    name: 'Spamhaus DBL',
    weight: 100,
    removalUrl: 'https://check.spamhaus.org/',
    access: 'own_resolver',
    codes: [
      abuse('127.0.1.2', 'Domain of low reputation'),
      abuse('127.0.1.4', 'Phishing'),
      abuse('127.0.1.5', 'Malware'),
      abuse('127.0.1.6', 'Control of a botnet'),
      abuse('127.0.1.102-127.0.1.106', 'Honest domain that is abused'),
      refused('127.0.1.255', 'Asked for an address'),
    ],
  }),
  of('domain', 'multi.surbl.org', {
    name: 'SURBL',
    weight: 80,
    removalUrl: 'https://www.surbl.org/surbl-analysis',
    access: 'own_resolver',
    testPoints: { listed: 'test.surbl.org', clear: 'invalid' },
    codes: [
      refused('127.0.0.1', 'Blocked: too many questions, or a public resolver'),
      abuse('&8', 'PH: phishing'),
      abuse('&16', 'MW: malware'),
      abuse('&64', 'ABUSE: spam'),
      abuse('&128', 'CR: cracked web site'),
    ],
  }),
  of('domain', 'multi.uribl.com', {
    name: 'URIBL',
    weight: 70,
    removalUrl: 'https://admin.uribl.com/',
    access: 'own_resolver',
    testPoints: { listed: 'test.uribl.com', clear: 'invalid' },
    codes: [
      refused('127.0.0.1', 'Blocked: too many questions, or a public resolver'),
      abuse('&2', 'Black: in spam'),
      policy('&4', 'Grey: in bulk mail that not everybody asked for'),
      abuse('&8', 'Red: under observation'),
    ],
  }),
  of('domain', 'dbl.nordspam.com', {
    name: 'NordSpam domains',
    weight: 20,
    removalUrl: 'https://www.nordspam.com/removal/',
  }),
  of('domain', 'uribl.spameatingmonkey.net', { name: 'Spam Eating Monkey URI', ...EATING_MONKEY }),
  of('domain', 'fresh.spameatingmonkey.net', {
    name: 'Spam Eating Monkey Fresh',
    weight: 10,
    removalUrl: EATING_MONKEY.removalUrl,
    codes: [policy('127.0.0.2-127.0.0.255', 'Registered within the last five days')],
  }),
];

/**
 * What is asked unless the operator says otherwise: lists that receivers use and that are kept at the time of writing. Lists come, go
 * and change whom they answer: the self-test finds out, not this table.
 */
export const DEFAULT_ZONES: readonly BlacklistZone[] = [...ADDRESS_ZONES, ...DOMAIN_ZONES];
