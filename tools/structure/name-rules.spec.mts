import {
  classBreaches,
  classNameOf,
  deepFolders,
  duplicateClasses,
  duplicateFunctions,
  fileNameBreaches,
  kindOf,
  misplacedProduction,
  refusedNames,
  wordsOf,
} from './name-rules.mts';
import { parseSource } from './source-tree.mts';

const parse = (path: string, text = '') => parseSource(path, text);

describe('names of files', () => {
  it.each([
    'campaign-status.service.ts',
    'plan-next-send.ts',
    'index.ts',
    'campaign-status.service.db.spec.ts',
    'sync-faults.deep.db.spec.ts',
    'resolver.conformance.spec.ts',
    'sending-storm.e2e.spec.ts',
    'main.mts',
    'mjml.module.d.ts',
  ])('accepts %s', (name) => {
    expect(fileNameBreaches([{ path: `libs/domain/x/${name}` }])).toEqual([]);
  });

  it.each([
    'lead.desk.service.ts',
    'lead.desk.ts',
    'Lead.ts',
    'lead_desk.ts',
    'lead.helper.ts',
    'lead.service.unit.spec.ts',
  ])('rejects %s', (name) => {
    expect(fileNameBreaches([{ path: `libs/domain/x/${name}` }])).toHaveLength(1);
  });

  it.each([
    ['libs/a/lead.service.ts', 'service'],
    ['libs/a/lead.service.db.spec.ts', 'spec'],
    ['libs/a/lead.ts', null],
    ['libs/a/lead.helper.ts', null],
  ])('reads the kind of %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });
});

describe('classes', () => {
  it.each([
    ['libs/a/campaign-status.service.ts', 'CampaignStatusService'],
    ['libs/a/crm-oauth.service.ts', 'CrmOAuthService'],
    ['libs/a/hubspot-crm.driver.ts', 'HubSpotCrmDriver'],
  ])('of %s are %s', (path, name) => {
    expect(classNameOf(path)).toBe(name);
    expect(classBreaches([parse(path, `export class ${name} {}`)])).toEqual([]);
  });

  it.each([
    ['another name', 'libs/a/lead.service.ts', 'export class Leads {}'],
    ['two classes', 'libs/a/lead.service.ts', 'export class LeadService {}\nexport class Other {}'],
    ['no class', 'libs/a/lead.service.ts', 'export const lead = 1;'],
    ['an error without that suffix', 'libs/a/lead.errors.ts', 'export class LeadLost extends Error {}'],
    ['an injectable class without a kind', 'libs/a/leads.ts', '@Injectable()\nexport class Leads {}'],
    ['a record in another file', 'libs/a/leads.service.ts', "@Collection('leads')\nexport class LeadsService {}"],
    ['a record file without a collection', 'libs/a/lead.record.ts', 'export class LeadRecord {}'],
    ['a controller in another file', 'apps/api/src/leads.service.ts', '@Controller()\nexport class LeadsService {}'],
    ['a queue in another file', 'libs/a/leads.service.ts', 'export class LeadsService extends JobQueue<Job> {}'],
    ['another name in a file without a kind', 'libs/a/time-left.ts', 'export class Deadline {}'],
    [
      'an error beside its function',
      'libs/a/load.ts',
      'export class LoadError extends Error {}\nexport function load() {}',
    ],
    ['two classes in a file without a kind', 'libs/a/lead.ts', 'export class Lead {}\nexport class Other {}'],
  ])('are rejected for %s', (_reason, path, text) => {
    expect(classBreaches([parse(path, text)])).toHaveLength(1);
  });

  it.each([
    ['of its name', 'libs/a/lead-reader.ts', 'export class LeadReader {}\nexport function read() {}'],
    ['no exported class', 'libs/a/read.ts', 'class Reader {}\nexport function read() {}'],
    ['several errors in a file of errors', 'libs/a/a.errors.ts', 'export class AError {}\nexport class BError {}'],
  ])('are accepted in a file with %s', (_reason, path, text) => {
    expect(classBreaches([parse(path, text)])).toEqual([]);
  });

  it('have unique names in the repository', () => {
    const both = ['libs/a/lead.service.ts', 'test/a/leads.ts'].map((path) =>
      parse(path, 'export class LeadService {}'),
    );
    expect(duplicateClasses(both)).toEqual(['test/a/leads.ts: LeadService is also in libs/a/lead.service.ts']);
    expect(duplicateClasses(both.slice(1))).toEqual([]);
  });
});

describe('exported functions', () => {
  const files = [
    parse('libs/a/one.ts', 'export function toRefusal(): string;\nexport function toRefusal() {}'),
    parse('libs/b/other.ts', 'export function toRefusal() {}'),
    parse('libs/c/own.ts', 'function toRefusal() {}'),
  ];

  it('of one name are not in two files', () => {
    expect(duplicateFunctions(files, [])).toEqual(['libs/b/other.ts: toRefusal is also in libs/a/one.ts']);
  });

  it('may share a name that has a reason', () => {
    expect(duplicateFunctions(files, [{ name: 'toRefusal', reason: 'one language' }])).toEqual([]);
  });
});

describe('folders', () => {
  it('are at most four deep below libs/domain', () => {
    expect(deepFolders([parse('libs/domain/a/b/c/d/x.ts')])).toEqual([]);
    expect(deepFolders([parse('libs/domain/a/b/c/d/e/x.ts')])).toEqual(['libs/domain/a/b/c/d/e']);
  });

  it('for tests hold no production code', () => {
    const paths = ['libs/a/tests/x.ts', 'libs/a/self.test.ts', 'libs/a/testing/x.ts', 'test/a/x.ts'];
    expect(misplacedProduction(paths.map((path) => ({ path })))).toEqual(['libs/a/tests/x.ts', 'libs/a/self.test.ts']);
  });
});

describe('words', () => {
  it.each([
    ['planNextSend', ['plan', 'next', 'send']],
    ['MAX_TRIES', ['max', 'tries']],
    ['CrmOAuthService', ['crm', 'o', 'auth', 'service']],
    ['HTMLText', ['html', 'text']],
    ['mail-turn.service', ['mail', 'turn', 'service']],
  ])('of %s are %j', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  const refused = new Set(['desk']);
  const breachesOf = (path: string, text: string) => refusedNames([parse(path, text)], refused, []);

  it.each([
    ['a path', 'libs/domain/desk/a.ts', ''],
    ['a file', 'libs/domain/a/lead-desk.ts', ''],
    ['a class', 'libs/domain/a/b.ts', 'class LeadDesk {}'],
    ['a function', 'libs/domain/a/b.ts', 'function openDesk() {}'],
    ['a type', 'libs/domain/a/b.ts', 'type Desk = string;'],
    ['a constant', 'libs/domain/a/b.ts', 'const DESK_SIZE = 1;'],
    ['a method', 'libs/domain/a/b.ts', 'class A { openDesk() {} }'],
    ['a field', 'libs/domain/a/b.ts', 'interface A { readonly desk: string }'],
    ['a private field', 'libs/domain/a/b.ts', 'class A { #desk = 1; }'],
    ['an injected field', 'libs/domain/a/b.ts', 'class A { constructor(private readonly desk: B) {} }'],
    ['a member of a type literal', 'libs/domain/a/b.ts', 'function f(a: { readonly b: { desk: string }[] }) {}'],
    ['a member of an object', 'libs/domain/a/b.ts', 'const a = { b: [{ desk: 1 }] };'],
    ['a member of an enumeration', 'libs/domain/a/b.ts', 'enum A { Desk }'],
    ['a parameter', 'libs/domain/a/b.ts', 'const f = (desk: string) => 1;'],
    ['a local variable', 'libs/domain/a/b.ts', 'function f() { if (a) { const desk = 1; } }'],
    ['a variable of a loop', 'libs/domain/a/b.ts', 'for (const desk of desks) f();'],
    ['a destructured name', 'libs/domain/a/b.ts', 'const { a: [{ b: desk }] } = c;'],
    ['a rest parameter', 'libs/domain/a/b.ts', 'function f(...desk: string[]) {}'],
    ['a nested function', 'libs/domain/a/b.ts', 'function f() { function openDesk() {} }'],
    ['a type parameter', 'libs/domain/a/b.ts', 'type A<Desk> = Desk[];'],
    ['a collection', 'libs/domain/a/b.record.ts', "@Collection('lead_desk', { indexes: [] })\nclass B {}"],
    ['a queue', 'libs/platform/queues/queue-table.ts', "const queueTable = { 'lead-desk': {} };"],
  ])('that are refused are found in %s', (_place, path, text) => {
    expect(breachesOf(path, text)).toHaveLength(1);
  });

  it('that are refused are named with file and line', () => {
    expect(breachesOf('libs/domain/a/b.ts', 'f();\nfor (const desk of all) g();')).toEqual([
      'libs/domain/a/b.ts:2: variable desk: "desk"',
    ]);
  });

  it('that are refused are found in names only, as whole words, and not where an exception gives a reason', () => {
    expect(breachesOf('libs/domain/a/b.ts', "// desk\nconst desktop = 'desk';")).toEqual([]);
    // The place that declares a name is the one to mend.
    expect(breachesOf('libs/domain/a/b.ts', 'const { desk: table } = a;\nb.desk = a.desk();')).toEqual([]);
    const [file] = [parse('libs/domain/a/b.ts', 'const deskSize = 1;')];
    const because = [{ word: 'desk', where: /^deskSize$/, reason: 'the furniture' }];
    expect(refusedNames([file], refused, because)).toEqual([]);
  });
});
