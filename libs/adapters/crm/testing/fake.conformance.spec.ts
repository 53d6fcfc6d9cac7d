import { describeCrm } from '../conformance/crm-conformance';
import { type CrmField } from '../port/crm-person';
import { FakeCrm } from './fake-crm';

const field = (name: string, isCustom = false): CrmField => ({
  name,
  label: name,
  type: 'text',
  isWritable: true,
  isCustom,
  options: null,
  maxLength: null,
});

describeCrm('The CRM in memory', () => {
  const crm = new FakeCrm('hubspot');
  crm.fields = [field('first'), field('last'), field('own', true)];
  crm.missingFields.add('nowhere_to_be_found');
  crm.limits = { page: 20, find: 10, read: 10, write: 10, record: 10 };
  crm.refusals.set('bad@example.com', { reason: 'invalid', message: 'No', field: 'first', externalId: null });
  const { store } = crm;
  let lists = 0;
  return Promise.resolve({
    traits: {
      fields: { first: 'first', last: 'last', own: 'own' },
      owners: ['o1', 'o2'],
      strangers: ['f999999998', 'f999999999'],
      knowsOptOut: true,
      hasSeveralEmails: true,
      allowsDuplicates: true,
      onTakenEmail: 'merged',
      hasOwners: true,
      hasLists: true,
      invalidFirst: 'bad',
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'quota', 'server', 'forbidden', 'rejected'],
    },
    token: 'canary-token',
    open: (auth = { kind: 'key', key: 'canary-token' }) => crm.open({ type: 'hubspot', baseUrl: 'http://fake', auth }),
    onlyLetsIn: (token) => {
      crm.refusedTokens.clear();
      for (const other of ['canary-token', 'canary-first', 'canary-second', 'canary-only']) {
        if (other !== token) crm.refusedTokens.add(other);
      }
    },
    add: (person) => store.add(person).id,
    change: (id, changes) => void store.change(id, changes),
    remove: (id) => void store.remove(id),
    person: (id) => store.get(id),
    passes: (ms) => store.passes(ms),
    size: () => store.size,
    recorded: (id) => store.activities.flatMap(({ personId, body }) => (personId === id ? [JSON.stringify(body)] : [])),
    list: (members) => {
      lists += 1;
      store.lists.set(String(lists), new Set(members));
      return String(lists);
    },
    fails: (reason, retryAfterMs) => crm.next({ fails: reason, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
    cuts: (when) => crm.next(when === 'before' ? 'cut' : 'lost'),
    staysSilent: () => crm.next('silence'),
    garbles: (isWrite) => crm.next(isWrite ? 'cut' : { fails: 'protocol' }),
    close: () => Promise.resolve(),
  });
});
