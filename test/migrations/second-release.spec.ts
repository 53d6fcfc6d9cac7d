import { SECOND_RELEASE, secondRelease } from './stored';

/** By collection, the fields that migration 0005 renames, as 0.2.0 calls them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  mailbox_turns: ['wokenFor', 'isTrial', 'rest'],
  webhook_lanes: ['wokenFor'],
  chat_lanes: ['wokenFor'],
  crm_lanes: ['wokenFor', 'planted', 'strikes', 'forgets', 'restUntil'],
  enrichment_lanes: ['wokenFor'],
  chat_connections: ['restUntil', 'way'],
  crm_connections: ['way'],
  webhooks: ['restUntil', 'formerSecret', 'formerSecretUntil'],
  enrichment_tools: ['restUntil'],
  mailboxes: ['holds'],
  sends: ['lookAt', 'words', 'wireAt'],
  inbox_replies: ['lookAt', 'words', 'wireAt'],
  conversations: ['labelAsk'],
  tracking_hits: ['judgeAt'],
  crm_links: ['seen'],
  domain_health: ['untold'],
  warmups: ['heldDays'],
  agent_replies: ['turn'],
};

/** Collections that migration 0005 renames or drops without renaming a field. */
const COLLECTIONS = [
  'holds',
  'fleet_members',
  'enrichment_loose_items',
  'blacklist_standings',
  'agent_switches',
  'integration_consents',
];

/** By collection and path, all values that 0.2.0 wrote where migration 0005 renames one of them. */
const VALUES: readonly (readonly [string, string, readonly string[]])[] = [
  ['sends', 'state', 'claimed wire sent retry failed ambiguous sent_unconfirmed withheld planned'.split(' ')],
  [
    'inbox_replies',
    'state',
    'queued claimed wire sent retry failed ambiguous sent_unconfirmed withheld cancelled'.split(' '),
  ],
  ['reports', 'state', 'planned handing sent unknown failed skipped withheld'.split(' ')],
  ['crm_activities', 'state', 'pending handing recorded refused skipped unknown'.split(' ')],
  ['holds', 'state', ['held']],
  [
    'agent_replies',
    'cause',
    [
      ...'agent switch label stop_word answered elsewhere newer suppressed lead thread_limit silence left model'.split(
        ' ',
      ),
      ...'hours daily_limit labelling mailbox delivery person time'.split(' '),
    ],
  ],
  [
    'agent_replies',
    'state',
    'planned writing awaiting_approval scheduled handed sent cancelled rejected failed expired'.split(' '),
  ],
  [
    'blacklist_tests',
    'plan.notChecked.reason',
    'shared_addresses host_unknown host_unanswered private_address mailbox_gone'.split(' '),
  ],
  ['domain_health', 'report.dkim.source', ['given', 'learned', 'known']],
  ['crm_connections', 'way', ['key', 'consent']],
  ['chat_connections', 'way', ['consent', 'webhook']],
  [
    'dead_jobs',
    'queue',
    'mailbox-turn warmup-turn webhook-lane chat-lane crm-lane enrichment-lane tracking-verdict'.split(' '),
  ],
];

/** All values at a path, through arrays. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => valuesAt(one, path));
  const [name, ...further] = path;
  if (name === undefined) return [value];
  if (value === null || typeof value !== 'object' || !(name in value)) return [];
  return valuesAt((value as Record<string, unknown>)[name], further);
}

describe('the kept database of release 0.2.0', () => {
  const stored = secondRelease({ held: true });
  const documentsOf = (collection: string) => stored[collection]?.documents ?? [];

  it.each(Object.entries(FIELDS))('has records of %s with a value of each renamed field', (name, fields) => {
    for (const field of fields) {
      const values = valuesAt(documentsOf(name), [field]);
      // Neither absent nor the schema’s default: a migration that omits the field loses data.
      const isSaying = (value: unknown) => ![null, undefined, 0, false, '{}'].includes(value as null);
      expect({ field, isThere: values.some(isSaying) }).toEqual({ field, isThere: true });
    }
  });

  it.each(COLLECTIONS)('has records of %s', (name) => {
    expect(documentsOf(name).length).toBeGreaterThan(0);
  });

  it.each(VALUES)('has a record of %s with every value of %s', (name, path, values) => {
    const found = new Set(valuesAt(documentsOf(name), path.split('.')));
    expect(values.filter((value) => !found.has(value))).toEqual([]);
  });

  it('has the indexes that name an old field or value', () => {
    const indexes = Object.entries(stored).flatMap(([collection, { indexes: ofIt }]) =>
      ofIt.map(({ key, partialFilterExpression }) => `${collection} ${JSON.stringify([key, partialFilterExpression])}`),
    );
    for (const text of ['"lookAt"', '"labelAsk.dueAt"', '"judgeAt"', '"way"', '"turn"', '"wire"']) {
      expect(indexes.filter((index) => index.includes(text))).not.toEqual([]);
    }
  });

  it('has a workspace with leads of every status and an email in transit', () => {
    const { workspaceId } = SECOND_RELEASE.ordinary;
    const ofIt = (name: string) => documentsOf(name).filter((record) => String(record['workspaceId']) === workspaceId);
    const distinct = (name: string, field: string) => new Set(ofIt(name).map((record) => record[field] as string));
    expect([...distinct('campaign_leads', 'status')].toSorted()).toEqual(
      ['active', 'bounced', 'completed', 'paused', 'removed'].toSorted(),
    );
    expect([...distinct('campaigns', 'status')].toSorted()).toEqual(['active', 'completed', 'draft', 'paused']);
    expect(distinct('sends', 'state')).toContain('ambiguous');
    expect(ofIt('events').length).toBeGreaterThan(50);
    expect(ofIt('campaign_days').length).toBeGreaterThan(0);
  });

  it('has the plain text of a secret in each collection with encrypted ones', () => {
    const collections = new Set(SECOND_RELEASE.secrets.map(({ collection }) => collection));
    expect([...collections].toSorted()).toEqual([
      'chat_connections',
      'crm_connections',
      'enrichment_tools',
      'integration_consents',
      'mailbox_oauth_sessions',
      'mailboxes',
      'webhooks',
    ]);
    expect(SECOND_RELEASE.secrets.some(({ label }) => label.endsWith(' formerSecret'))).toBe(true);
  });

  it('omits the record of maintenance mode by default', () => {
    expect(secondRelease()['holds']?.documents).toEqual([]);
    expect(documentsOf('holds')).toHaveLength(1);
  });
});
