import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { type ApiDocument, type Route, listRoutes } from './document.mts';
import { listNames } from './names.mts';

type Method = (...given: unknown[]) => Promise<unknown>;
interface Group {
  [name: string]: Group | Method;
}

const KEY = 'sk_0123';
const ROOT = process.cwd();
const GENERATED = join(ROOT, 'clients/typescript/src/generated');

async function document(): Promise<ApiDocument> {
  return JSON.parse(await readFile(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as ApiDocument;
}

/** Returns the requests of a client as text, and the names of all its methods. */
function recorded() {
  const requests: { line: string; headers: Headers; body: unknown }[] = [];
  const client = createOutreach({
    baseUrl: 'http://api',
    apiKey: KEY,
    fetch: (url, { method, headers, body }) => {
      requests.push({ line: `${method} ${url.slice('http://api'.length)}`, headers: headers as Headers, body });
      return Promise.resolve(Response.json({ data: [], pagination: { nextCursor: null } }));
    },
  });
  return { client: client as unknown as Group, requests };
}

function methodsOf(group: Group, path: string[] = []): string[] {
  return Object.entries(group).flatMap(([name, member]) =>
    typeof member === 'function' ? [[...path, name].join('.')] : methodsOf(member, [...path, name]),
  );
}

const found = (group: Group, name: readonly string[]): Method =>
  name.reduce<Group | Method>((member, word) => (member as Group)[word]!, group) as Method;

describe('the client', () => {
  it('has a method for every operation of the document, and no other', async () => {
    const names = [...listNames(listRoutes(await document())).values()].map((name) => name.join('.'));
    expect(methodsOf(recorded().client).toSorted()).toEqual(names.toSorted());
  });

  it('sends each request as the document describes it', async () => {
    const { client, requests } = recorded();
    for (const [route, name] of listNames(listRoutes(await document()))) {
      const body = route.sends === 'application/json' ? { a: 1 } : 'a,b';
      await found(client, name)(
        ...route.ids,
        ...(route.body === 'none' ? [] : [body]),
        ...(route.hasQuery ? [{ q: 'x y' }] : []),
      );
      const { line, headers, body: sent } = requests.at(-1)!;
      expect(line).toBe(expectedLine(route));
      expect(sent).toBe(route.body === 'none' ? null : typeof body === 'string' ? body : JSON.stringify(body));
      expect(Object.fromEntries(headers)).toEqual({
        accept: '*/*',
        'x-api-key': KEY,
        ...(route.bearer && { authorization: `Bearer ${KEY}` }),
        ...(route.method === 'post' && { 'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) as string }),
        ...(route.sends && { 'content-type': route.sends }),
      });
    }
  });

  it('also sends the key as a bearer token where the contract requires it', async () => {
    const routes = listRoutes(await document()).filter(({ bearer }) => bearer);
    expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'delete /v1/webhooks/{webhookId}',
      'get /v1/analytics/campaigns/{campaignId}',
      'get /v1/campaigns/{campaignId}',
      'get /v1/mailboxes/{mailboxId}/health',
      'post /v1/campaigns/{campaignId}/leads/action',
    ]);
  });

  it('is generated when it is missing, is identical for the same document, and is then not generated again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    try {
      const made = join(folder, 'generated');
      const script = `import { ensureClient } from './tools/client/generate.mts';
        console.log(JSON.stringify([await ensureClient(${JSON.stringify(made)}), await ensureClient(${JSON.stringify(made)})]));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      expect(stdout.trim()).toBe('[true,false]');
      expect(await contents(made)).toEqual(await contents(GENERATED));
      expect(await readdir(folder)).toEqual(['generated']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function expectedLine({ method, path, hasQuery }: Route): string {
  return `${method.toUpperCase()} ${path.replaceAll(/[{}]/g, '')}${hasQuery ? '?q=x+y' : ''}`;
}

async function contents(folder: string): Promise<[string, string][]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]),
  );
}
