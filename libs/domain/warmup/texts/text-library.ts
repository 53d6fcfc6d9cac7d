import { join } from 'node:path';
import { AssetError, AssetSet, AssetValueError, listAssetFolders, listAssets, loadAsset } from '@platform/config';
import { WARMUP_LANGUAGES, type WarmupLanguage } from '../schemas/warmup.record';
import { type LanguageTraits, type Library, type Topic } from './vocabulary';

const FOLDER = join(__dirname, '../assets/texts');
const FRAME = 'frame.yaml';
const LANGUAGE = 'language.yaml';

/** Content of language.yaml. */
interface StoredTraits extends Omit<LanguageTraits, 'commonWords' | 'spamPattern'> {
  readonly commonWords: readonly string[];
  readonly spamWords: readonly string[];
}

/** Built-in languages, shared by all operator folders. */
const BUILT_IN = new Map<WarmupLanguage, Library>();

/** The languages of one operator folder; each is read at its first use. */
class TextLibraries {
  readonly languages: readonly WarmupLanguage[];
  private readonly own: ReadonlySet<string>;
  private readonly read = new Map<WarmupLanguage, Library>();

  /** @throws AssetError for a folder that is not named after a language */
  constructor(private readonly operatorFolder: string | null) {
    const own = operatorFolder === null ? [] : listAssetFolders(operatorFolder);
    const wrong = own.find((name) => !/^[a-z]{2,3}$/.test(name));
    if (wrong !== undefined) {
      const reason = 'the name is not a language code (ISO 639) such as sv';
      throw new AssetError(join(operatorFolder ?? '', wrong), '', reason);
    }
    this.own = new Set(own);
    this.languages = [...new Set<WarmupLanguage>([...WARMUP_LANGUAGES, ...own])];
  }

  /** @throws AssetError for the first file of the language that is not valid */
  get(language: WarmupLanguage): Library {
    const own = this.operatorFolder !== null && this.own.has(language) ? join(this.operatorFolder, language) : null;
    const read = own === null ? BUILT_IN : this.read;
    const library = read.get(language) ?? readLibrary(language, own);
    read.set(language, library);
    return library;
  }
}

const libraries = new AssetSet(
  'warmup/texts',
  (operatorFolder) => new TextLibraries(operatorFolder),
  (all) => all.languages.forEach((language) => all.get(language)),
);

/** Lists all languages: the built-in ones in their order, then those of the operator. */
export function listTextLanguages(): readonly WarmupLanguage[] {
  return libraries.value.languages;
}

/** Returns the texts of a language. A removed operator language falls back to English, so that current threads continue. */
export function getTextLibrary(language: WarmupLanguage): Library {
  const all = libraries.value;
  return all.get(all.languages.includes(language) ? language : 'en');
}

/**
 * Reads the built-in texts and those of the operator. An operator's frame or language file replaces the built-in one; a topic
 * replaces the topic of its name or is added.
 * @throws AssetError for the first invalid file
 */
function readLibrary(language: WarmupLanguage, own: string | null): Library {
  const builtIn = isBuiltIn(language) ? join(FOLDER, language) : null;
  const ownFiles = own === null ? [] : listAssets(own);
  const folderOf = (file: string) => (ownFiles.includes(file) ? own : builtIn) ?? own ?? FOLDER;
  const frame = loadAsset<Omit<Library, 'topics' | 'traits'>>({
    folder: folderOf(FRAME),
    file: FRAME,
    schema: join(FOLDER, 'frame.schema.json'),
  });
  const traits = loadAsset<StoredTraits, LanguageTraits>({
    folder: folderOf(LANGUAGE),
    file: LANGUAGE,
    schema: join(FOLDER, 'language.schema.json'),
    compile: toTraits,
  });
  const topics = mergeTopics(
    builtIn === null ? [] : readTopics(builtIn, topicFiles(listAssets(builtIn))),
    own === null ? [] : readTopics(own, topicFiles(ownFiles)),
  );
  if (topics.length === 0) throw new AssetError(own ?? FOLDER, '', 'a language needs at least one file of topics');
  return Object.freeze({ ...frame, topics, traits });
}

function isBuiltIn(language: WarmupLanguage): boolean {
  return WARMUP_LANGUAGES.some((builtIn) => builtIn === language);
}

function topicFiles(files: readonly string[]): string[] {
  return files.filter((file) => file !== FRAME && file !== LANGUAGE);
}

function readTopics(folder: string, files: readonly string[]): Topic[] {
  const names = new Set<string>();
  return files.flatMap((file) =>
    loadAsset<{ readonly topics: readonly Topic[] }, readonly Topic[]>({
      folder,
      file,
      schema: join(FOLDER, 'topics.schema.json'),
      compile: ({ topics }) => {
        for (const [index, { name }] of topics.entries()) {
          if (names.has(name)) throw new AssetValueError(`"${name}" comes twice`, { path: `/topics/${index}/name` });
          names.add(name);
        }
        return topics;
      },
    }),
  );
}

function mergeTopics(builtIn: readonly Topic[], own: readonly Topic[]): readonly Topic[] {
  const merged = builtIn.map((topic) => own.find(({ name }) => name === topic.name) ?? topic);
  return Object.freeze([...merged, ...own.filter((topic) => !merged.includes(topic))]);
}

function toTraits({ commonWords, spamWords, ...traits }: StoredTraits): LanguageTraits {
  return { ...traits, commonWords: new Set(commonWords), spamPattern: createWordsPattern(spamWords) };
}

/** `*` stands for any ending, `+` for a blank. */
function createWordsPattern(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => word.replaceAll('+', String.raw`\s+`).replace('*', String.raw`\p{L}*`));
  return new RegExp(String.raw`(?<!\p{L})(?:${alternatives.join('|')})(?!\p{L})`, 'iu');
}
