import { type Outreach } from '@outreach/client';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiDocument, listRoutes } from '../../tools/client/document.mts';
import { listNames } from '../../tools/client/names.mts';
import { createClient, getOrigin, type Platform, startPlatform } from '../harness';
import { Outside } from '../isolation/outside';
import { describedRoutes, NO_IDS, type Route } from '../isolation/routes';
import { createIsolationFixture, type IsolationFixture } from '../isolation/isolation-fixture';
import { installClient, readmeProgram, runProgram } from './package';

type List = (...given: unknown[]) => AsyncIterable<object> & Promise<{ data: object[]; pagination: { total: number } }>;

const DOCUMENT = join(__dirname, '../../docs/reference/openapi.json');
/** Small pages, so that there are several, at the cost of few requests. */
const LIMIT = 1;
/** Longer lists are read only in part. */
const ENOUGH = 3;

const lists = [...listNames(listRoutes(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument))]
  .filter(([{ answer }]) => answer === 'page')
  .map(([{ path }, name]) => ({ name: name.join('.'), path }));

describe('the TypeScript client', () => {
  let outside: Outside;
  let platform: Platform;
  let fixture: IsolationFixture;
  let routes: Route[];
  let outreach: Outreach;

  beforeAll(async () => {
    outside = await Outside.start();
    platform = await startPlatform({ env: outside.env });
    routes = await describedRoutes(platform.api, outside.bodies);
    fixture = await createIsolationFixture(platform, outside);
    outreach = createClient(platform, fixture.owner.key, { workspaceId: fixture.workspaceId });
  });
  afterAll(async () => {
    await platform.close();
    await outside.close();
  });

  function listAt(path: string, name: string): (query: object) => ReturnType<List> {
    const route = routes.find(({ template, method }) => template === path && method === 'get')!;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const ids = names.map((parameter) =>
      parameter === 'workspaceId' ? fixture.workspaceId : (NO_IDS[parameter] ?? fixture.id(route, parameter)),
    );
    const list = name
      .split('.')
      .reduce<unknown>((group, word) => (group as Record<string, unknown>)[word], outreach) as List;
    return (query) => list(...ids, query);
  }

  describe('the lists of the API', () => {
    it.each(lists)('$name has the same records page by page as in one page', async ({ name, path }) => {
      const list = listAt(path, name);
      const whole = await list({ limit: 100 });
      const expected = whole.data.slice(0, ENOUGH);
      const walked: object[] = [];
      for await (const one of list({ limit: LIMIT })) {
        walked.push(one);
        if (walked.length === ENOUGH) break;
      }
      expect(walked).toEqual(expected);
      expect(whole.pagination.total).toBeGreaterThan(LIMIT);
    });

    it('are the lists that the OpenAPI document describes', () => {
      const described = routes
        .filter(({ method, isList }) => method === 'get' && isList)
        .map(({ template }) => template);
      expect(lists.map(({ path }) => path).toSorted()).toEqual(described.toSorted());
    });
  });

  describe('the package', () => {
    let folder: string;
    let files: string[];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'client-'));
      files = await installClient(folder);
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('has its code, types, manual and licence, and the version of the platform', () => {
      const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      const root = read(join(__dirname, '../../package.json'));
      const { version, license, dependencies } = read(join(folder, 'node_modules/@outreach/client/package.json'));
      expect([version, license, dependencies]).toEqual([root['version'], root['license'], undefined]);
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']));
      expect(files.filter((path) => !/^(dist\/.+\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(path))).toEqual(
        [],
      );
      expect(files.filter((path) => path.includes('.spec.'))).toEqual([]);
    });

    it('compiles and does what its README says, without other dependencies', async () => {
      const key = await platform.seed.workspaceKey(fixture.workspaceId);
      const program = (await readmeProgram())
        .replace('http://localhost:3000', getOrigin(platform))
        .replace('sk_…', key);
      const written = await runProgram(folder, program);
      expect(written).toMatch(/^1 lead\(s\) in Autumn$/m);
      expect(written).toMatch(/^ada@example\.com active$/m);
      expect(written).toMatch(/^404 NOT_FOUND \[\] \S+$/m);
      expect(written).toMatch(/,email,firstName,/m);
      const { data } = await outreach.campaigns.list({ search: 'Autumn' });
      const { sequence } = await outreach.campaigns.get(data[0]!._id);
      expect(sequence).toMatchObject([{ subject: 'Hello' }]);
    });
  });
});
