import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '@domain/migrations';
import { periodicTasks } from '@domain/assembly';
import { expectKept } from './snapshot-files';

const ROOT = join(__dirname, '..');

interface Source {
  path: string;
  text: string;
}

/**
 * Strings that no renaming may change: data that was stored or sent under such a string cannot be found under another
 * one. They are found in the source by the code around them, in whatever file it is; template values are not part of
 * them.
 */
describe('frozen strings', () => {
  const sources = ['apps', 'libs'].flatMap(sourcesBelow);

  it('are those of test/frozen-strings.json', () => {
    const all = (pattern: RegExp, where: (source: Source) => boolean = () => true) => found(sources, pattern, where);
    expectKept(join(__dirname, 'frozen-strings.json'), {
      // Another owner cannot decrypt the secret.
      secretOwners: all(/function \w*[oO]wner\w*\([^)]*\): string \{\s*return (`[^`]*`)/g),
      // The possible last parts of an owner.
      secretFields: listed(all(/const (?:MAILBOX|TOOL|CONNECTION)_SECRETS = \[([^\]]*)\]/g)),
      // Another purpose rejects every issued token.
      tokenPurposes: [
        ...all(/const PURPOSE = ('[^']*')/g),
        ...listed(all(/const PURPOSES\b[^=]*= \{([^}]*)\}/g)),
      ].toSorted(),
      keyDerivation: all(/const PURPOSE_PREFIX = ('[^']*')/g),
      // Otherwise two parallel releases do not see each other’s lease.
      leases: [
        ...all(/\.acquire\(\s*(`[^`]*`|'[^']*')/g),
        ...all(/const LEASE = ('[^']*')/g),
        ...all(/\.runUnderLease\(\s*(`[^`]*`|'[^']*')/g),
        ...all(/this\.#under\(\s*(`[^`]*`|'[^']*')/g),
      ].toSorted(),
      tokenLeases: all(/\bname: (`[a-z]+-\$\{[^`]*\.toHexString\(\)\}`)/g),
      // The names are the ids of `schedules`: a new one runs at once.
      schedules: periodicTasks.map(({ name }) => name).toSorted(),
      migrations: migrations.map(({ name }) => name),
      // An event with another key is recorded a second time.
      dedupeKeys: all(/\bdedupeKey: (`[^`]*`)/g),
      // An operation with another name is charged a second time.
      creditOperations: [
        ...all(/\boperation(?: =|:) (`[^`]*`)/g),
        ...all(/(`(?:enrichment|grant):\$\{[^`]*`)/g),
      ].toSorted(),
      // A reply or a bounce refers to the email by it.
      messageIds: all(/(`<(?:[a-z]+\.)?\$\{[^`]*@\$\{[^`]*\}>`)/g),
      // A job that is enqueued twice has one id.
      jobIds: all(/(`[a-z]+(?:-[a-z]+)*-\$\{[^`]*`)/g, ({ path }) => path.endsWith('.queue.ts')),
      jobCodes: all(/(`(?:\$\{[^`}]*\}|[A-Z]{2,3})[-_]\$\{[^`]*randomBytes[^`]*`)/g),
      keyPrefixes: all(/const PREFIX = ('[a-z]+_')/g),
    });
  });

  it('detect a change in each category', () => {
    const before = [{ path: 'a.ts', text: 'const x = { dedupeKey: `email.sent:${String(send._id)}`, about };' }];
    const after = [{ path: 'a.ts', text: 'const x = { dedupeKey: `mail.sent:${id}`, about };' }];
    const pattern = /\bdedupeKey: (`[^`]*`)/g;
    expect(found(before, pattern)).toEqual(['email.sent:{}']);
    expect(found(after, pattern)).toEqual(['mail.sent:{}']);
  });
});

/** All first groups, without quotes; sorted and unique. */
function found(sources: readonly Source[], pattern: RegExp, where: (source: Source) => boolean = () => true): string[] {
  const literals = sources
    .filter(where)
    .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, literal]) => literal!));
  return [...new Set(literals.map(normalised))].toSorted();
}

/** The quoted texts of code blocks. */
function listed(blocks: readonly string[]): string[] {
  return blocks.flatMap((block) => [...block.matchAll(/'([^']*)'/g)].map(([, text]) => text!)).toSorted();
}

/** Names of variables may change: template values become `{}`. */
function normalised(literal: string): string {
  return literal.replace(/^([`'])([^`']*)\1$/, '$2').replaceAll(/\$\{[^}]*\}/g, '{}');
}

/** Production code: no specs and no fixtures. */
function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !/(^|\/)(testing|node_modules)\//.test(path),
    )
    .map((path) => ({ path, text: readFileSync(join(ROOT, folder, path), 'utf8') }));
}
