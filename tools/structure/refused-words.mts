import type { NameException, SharedName } from './name-rules.mts';

/** Words of a private language; `docs/glossary.md` has the term of the field for each. */
export const REFUSED_WORDS: ReadonlySet<string> = new Set(
  `turn turns lane lanes desk memory world worlds aside hold holds held fleet presence sight sights seen letter letters word words
   keeping keeps kept press doubt doubts look looks looked told tells tell wake wakes woken plant planted announce announced
   rest wire wired given wanted asked asks judge judged judging wish wishes census sealed moved outdated lost gone patience pace rhythm
   standing standings loose gentle aftermath foresee foreseen lookout deed deeds tale course vain`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const STORED = 'stored: nothing outside shows it, so a migration gains nothing';
const SCHEMA = 'public: the name of a schema in the OpenAPI document';
const SEEN_FLAG = 'the flag \\Seen of RFC 9051';
const CURSOR = 'stored: a member of a cursor';
const LANGUAGE = 'words of a language, and keys of the operator’s files';

export const EXCEPTIONS: readonly NameException[] = [
  { word: 'turn', where: /^turn$|^TurnAgentSwitchRequest$/, reason: 'public: an operation id and its schema' },
  { word: 'standing', where: /^TrainingStandingResponse$/, reason: SCHEMA },
  { word: 'rhythm', where: /^(Push|Pull)Rhythm(Request|Response)$/, reason: SCHEMA },
  { word: 'tell', where: /0002-what-events-tell/, reason: 'the name of a released migration' },
  { word: 'word', where: /^ENCODED_WORD/, reason: 'the encoded word of RFC 2047' },
  { word: 'word', where: /stop[-_]?word/i, reason: 'stop words, the term of the field' },
  { word: 'words', where: /stop[-_]?words/i, reason: 'stop words, the term of the field' },
  { word: 'word', where: /warmup\/texts\//, reason: LANGUAGE },
  { word: 'words', where: /warmup\/texts\//, reason: LANGUAGE },
  { word: 'wishes', where: /warmup\/texts\/vocabulary/, reason: LANGUAGE },
  { word: 'seen', where: /^libs\/adapters\/mail\/|mailbox-(message\.record|sync\.repository)/, reason: SEEN_FLAG },
  { word: 'seen', where: /graph-(cursor|sync)|close-query/, reason: CURSOR },
  { word: 'letter', where: /spf-macros/, reason: 'the macro-letter of RFC 7208' },
  { word: 'lost', where: /lease-?lost/i, reason: 'a lost lease, the term of the field' },
  { word: 'sealed', where: /^sealedBody$/, reason: STORED },
  { word: 'seen', where: /^seenAt$/, reason: STORED },
  { word: 'gone', where: /^goneAt$/, reason: STORED },
  { word: 'asked', where: /^askedFor$|blacklist-zone/, reason: STORED },
  { word: 'lost', where: /^lostAs$/, reason: STORED },
  { word: 'judged', where: /^judgedFrom$/, reason: STORED },
  ...['words', 'woken', 'rest', 'planted', 'holds', 'look', 'wire', 'judge', 'seen', 'held'].map((word) => ({
    word,
    where: /^libs\/domain\/migrations\//,
    reason: 'the stored names of earlier releases, which a migration reads',
  })),
  { word: 'gone', where: /^authorisation_gone$|^gone$/, reason: 'public: reasons of events' },
  { word: 'world', where: /^openWorldHint$/, reason: 'a name of the Model Context Protocol' },
];

const SHAPES = 'settings and payload schemas are described in two small languages, which no file mixes';

/** Functions whose name several files may export. */
export const SHARED_FUNCTIONS: readonly SharedName[] = [
  { name: 'text', reason: SHAPES },
  { name: 'flag', reason: SHAPES },
];
