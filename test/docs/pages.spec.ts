import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { faultOfCli, faultOfExample, faultOfPath, faultOfRoute, faultOfSpec, faultOfVariable } from './facts';
import { type Block, type Page } from './markdown';
import { readPages, ROOT } from './pages';
import { resolveAt } from './unrun';

/** `text` is for blocks that are not run: trees, grammars, dialogues. */
const LANGUAGES = new Set(['sh', 'json', 'yaml', 'js', 'ts', 'python', 'text', 'mermaid', '']);
const PROGRAMS = new Set(['js', 'ts', 'python']);
/** The marks of a block; `docs/engineers/testing.md` defines each. */
const MARKS = new Set(['not run', 'needs', 'output', 'refused', 'file']);
/** A command that no test runs. */
/** Pages whose programs another suite compiles and runs as one. */
const RUN_ELSEWHERE = new Map([['clients/typescript/README.md', 'test/client/client.e2e.spec.ts']]);
const COMMAND = /^\s*(?:\$ )?(?:curl|npm|node|npx|docker|kubectl|outreach|git|helm|python3?) \S/m;
const INDENTED = /^ {4,}(?:\$ )?(?:curl|npm|npx|node|docker|kubectl|outreach|git|helm) \S/;
const OUTSIDE = /^(?:https?:|mailto:)/;
/** Names of other systems that look like names of the platform. */
const HISTORY = /^(?:docs\/decisions|docs\/engineers\/performance)/;

/** Hand-written pages in docs, without decision records and generated pages. */
const MAX_PAGES = 32;
const MAX_RECORDS = 24;

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

type Fault = string;
const none: Fault[] = [];
const at = (place: string, fault: string | null): Fault[] => (fault === null ? none : [`${place}: ${fault}`]);

describe('each block of the documentation', () => {
  const blocks = pages.flatMap((page) => page.blocks);

  it('names its language, and runnable commands are sh', () => {
    const strange = blocks.filter(({ language }) => !LANGUAGES.has(language));
    const hidden = blocks.filter(({ language, text }) => ['', 'text'].includes(language) && COMMAND.test(text));
    expect([...strange, ...hidden].map(({ at: place, language }) => `${place} (${language})`)).toEqual(none);
  });

  it('is a fence if it has commands', () => {
    const lines = pages.flatMap(({ prose }) => prose.filter(({ text }) => INDENTED.test(text)));
    expect(lines).toEqual([]);
  });

  it('has known marks only', () => {
    const wrong = blocks.flatMap(({ at: place, marks }) =>
      [...marks.keys()].filter((mark) => !MARKS.has(mark)).map((mark) => `${place}: "${mark}"`),
    );
    expect(wrong).toEqual(none);
  });

  it('gives a reason if it is not run, and contains no detectable error', () => {
    const unrun = blocks.filter(({ marks }) => marks.has('not run'));
    expect(unrun.flatMap(faultsOfUnrun)).toEqual(none);
  });

  it('parses if it is JSON or YAML', () => {
    expect(blocks.flatMap((block) => at(block.at, faultOfData(block)))).toEqual(none);
  });

  it('is a file that a page or another suite runs if it is a program', () => {
    const own = pages.filter(({ path }) => !RUN_ELSEWHERE.has(path)).flatMap((page) => page.blocks);
    const programs = own.filter(({ language, marks }) => PROGRAMS.has(language) || marks.has('file'));
    const shell = blocks.filter(({ language, marks }) => language === 'sh' && !marks.has('not run'));
    const faults = programs.flatMap(({ at: place, marks, text }) => {
      const path = marks.get('file') ?? '';
      if (!shell.some((block) => block.text.includes(path))) return at(place, `no block runs "${path}"`);
      return at(place, faultOfExample(path, text));
    });
    expect(faults).toEqual(none);
    expect([...RUN_ELSEWHERE.values()].map(faultOfPath).filter(Boolean)).toEqual([]);
  });
});

describe('the documentation', () => {
  it('links to existing pages and headings', () => {
    expect(pages.flatMap((page) => page.links.flatMap((link) => at(link.at, faultOfLink(page, link.target))))).toEqual(
      none,
    );
  });

  it('lists every page in its index', () => {
    const listed = new Set(byPath.get('docs/README.md')?.links.map(({ target }) => `docs/${target}`));
    const own = [...byPath.keys()].filter((path) => /^docs\/(?!decisions\/|README\.md)/.test(path));
    expect(own.filter((path) => !listed.has(path))).toEqual([]);
  });

  it('has a limited number of pages', () => {
    const written = [...byPath.keys()].filter((path) => /^docs\/(?!decisions\/|reference\/)/.test(path));
    expect(written.length).toBeLessThanOrEqual(MAX_PAGES);
    const records = [...byPath.keys()].filter((path) => /^docs\/decisions\/\d/.test(path));
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
  });

  it('names existing routes', () => {
    expect(inCodes((code) => routesIn(code).map(([method, path]) => faultOfRoute(path, method)))).toEqual(none);
  });

  it('names existing settings and codes', () => {
    expect(
      inCodes((code) => (code.match(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==|$)/g) ?? []).map(faultOfVariable)),
    ).toEqual(none);
  });

  it('names existing files and folders', () => {
    const isPath = /^(?:apps|libs|test|tools|docs|deploy|clients)\/[\w./*{},-]+$/;
    expect(inCodes((code) => (isPath.test(code) ? [faultOfPath(code)] : []))).toEqual(none);
  });

  it('names existing specs', () => {
    expect(inCodes((code) => (/^[\w./-]+\.spec\.m?ts$/.test(code) ? [faultOfSpec(code)] : []))).toEqual(none);
  });

  it('names existing commands of the operator', () => {
    const isCommand = /^outreach ((?:[a-z]|--).*)$/;
    const faults = inCodes((code) => {
      const [, args] = isCommand.exec(code) ?? [];
      return args === undefined ? [] : [faultOfCli(args.split(/\s+/).filter((word) => !word.startsWith('<')))];
    });
    expect(faults).toEqual(none);
  });
});

function faultsOfUnrun({ at: place, marks, text }: Block): Fault[] {
  const reason = marks.get('not run') ?? '';
  const { faults, isChecked } = resolveAt(text);
  return [
    ...(reason.split(' ').length < 3 ? at(place, `"${reason}" is no reason`) : none),
    ...faults.flatMap((fault) => at(place, fault)),
    ...(isChecked ? none : at(place, 'nothing of it can be checked')),
  ];
}

function faultOfData({ language, text }: Block): string | null {
  try {
    if (language === 'json') JSON.parse(text);
    if (language !== 'yaml') return null;
    return parseAllDocuments(text).flatMap(({ errors }) => errors)[0]?.message ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

function faultOfLink(page: Page, target: string): string | null {
  if (OUTSIDE.test(target)) return null;
  const [path = '', anchor] = decodeURI(target).split('#');
  const file = path === '' ? page.path : normalize(join(dirname(page.path), path)).replace(/\/$/, '');
  if (!existsSync(join(ROOT, file))) return `there is no ${file}`;
  if (anchor === undefined) return null;
  const other = byPath.get(file);
  return other?.anchors.has(anchor) ? null : `${file} has no heading #${anchor}`;
}

/** `GET, PUT /v1/x` is two routes; a path alone has no method. */
function routesIn(code: string): [string | undefined, string][] {
  const [, methods, path] = /^((?:(?:GET|POST|PUT|PATCH|DELETE)(?:, | ))*)(\/v1\/[^\s`]+)/.exec(code) ?? [];
  if (path === undefined) return [];
  const named = (methods ?? '').split(/[, ]+/).filter(Boolean);
  return (named.length > 0 ? named : [undefined]).map((method) => [method, path]);
}

function inCodes(faultsOf: (code: string) => readonly (string | null)[]): Fault[] {
  const current = pages.filter(({ path }) => !HISTORY.test(path));
  return current.flatMap(({ codes }) =>
    codes.flatMap(({ at: place, text }) => faultsOf(text).flatMap((fault) => at(place, fault))),
  );
}
