import { join } from 'node:path';
import { AssetSet, type Fragments, loadAsset } from '@platform/config';
import { type AssetPattern, toFragments, toPattern } from '../../text/asset-pattern';
import { type BounceVerdict, type RefusalFault, type TextRule } from './rule';

interface CodeRule {
  readonly name: string;
  readonly verdict: BounceVerdict;
  readonly pattern: RegExp;
  /** Where it is not that of the verdict. */
  readonly fault?: RefusalFault;
}

/** A program by the sentences that its reports begin with. The text is folded (`folded`) and has its line breaks. */
interface FormatRule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** The tables of `assets/bounce-rules`. In each list of rules the first that matches decides. */
export interface BounceRules {
  readonly code: {
    /** For enhanced codes (RFC 3463). */
    readonly codes: readonly CodeRule[];
    /** SMTP replies (RFC 5321, 7504) that say something without words. */
    readonly replies: readonly CodeRule[];
    /** Codes about the sender that no words about a recipient outweigh. */
    readonly senderCode: RegExp;
    /** Codes that speak against hints; 5.1.0 is "other address status" (RFC 3463) and says nothing. */
    readonly againstHints: RegExp;
  };
  readonly format: {
    readonly formats: readonly FormatRule[];
    /** Subjects of reports in the languages of the big programs. Folded. */
    readonly reportSubject: RegExp;
    /** Senders of reports: name and address, folded. */
    readonly reportSender: RegExp;
    /** The server still tries. Folded. */
    readonly stillTrying: RegExp;
    /** The server gave up. Folded. */
    readonly gaveUp: RegExp;
  };
  readonly local: readonly TextRule[];
  readonly provider: readonly TextRule[];
  readonly transient: readonly TextRule[];
  readonly recipient: readonly TextRule[];
  /** These count only with a final code that does not speak against them. */
  readonly recipientHints: readonly TextRule[];
  readonly sender: readonly TextRule[];
  /** These come behind what is said of the recipient. */
  readonly senderHints: readonly TextRule[];
}

type StoredRule<T extends { readonly pattern: RegExp }> = Omit<T, 'pattern' | 'unless'> & {
  readonly pattern: AssetPattern;
  readonly unless?: AssetPattern;
  readonly flags?: string;
};

interface StoredTexts {
  readonly fragments?: Readonly<Record<string, AssetPattern>>;
  readonly rules: ReadonlyArray<StoredRule<TextRule>>;
  readonly hints?: ReadonlyArray<StoredRule<TextRule>>;
}

type StoredCode = Readonly<
  Record<'codes' | 'replies', ReadonlyArray<StoredRule<CodeRule>>> & Record<'senderCode' | 'againstHints', AssetPattern>
>;

interface StoredFormat extends Readonly<
  Record<'reportSubject' | 'reportSender' | 'stillTrying' | 'gaveUp', AssetPattern>
> {
  readonly formats: ReadonlyArray<StoredRule<FormatRule>>;
}

const FOLDER = join(__dirname, '..', '..', 'assets', 'bounce-rules');

/** The rules for bounces, from `assets/bounce-rules`. */
export const bounceRules = new AssetSet<BounceRules>('inbox/bounce-rules', () => {
  const [recipient, sender] = [loadTexts('recipient.yaml'), loadTexts('sender.yaml')];
  return {
    code: loadAsset({ folder: FOLDER, file: 'code.yaml', schema: 'code.schema.json', compile: toCode }),
    format: loadAsset({ folder: FOLDER, file: 'format.yaml', schema: 'format.schema.json', compile: toFormat }),
    local: loadTexts('local.yaml').rules,
    provider: loadTexts('provider.yaml').rules,
    transient: loadTexts('transient.yaml').rules,
    recipient: recipient.rules,
    recipientHints: recipient.hints,
    sender: sender.rules,
    senderHints: sender.hints,
  };
});

function loadTexts(file: string) {
  return loadAsset({
    folder: FOLDER,
    file,
    schema: 'rules.schema.json',
    compile: ({ fragments: shared, rules, hints = [] }: StoredTexts) => {
      const fragments = toFragments(shared);
      return {
        rules: rules.map((rule) => toRule<TextRule>(rule, fragments)),
        hints: hints.map((rule) => toRule<TextRule>(rule, fragments)),
      };
    },
  });
}

function toCode({ codes, replies, senderCode, againstHints }: StoredCode): BounceRules['code'] {
  return {
    codes: codes.map((rule) => toRule<CodeRule>(rule)),
    replies: replies.map((rule) => toRule<CodeRule>(rule)),
    senderCode: toPattern(senderCode),
    againstHints: toPattern(againstHints),
  };
}

function toFormat(stored: StoredFormat): BounceRules['format'] {
  return {
    formats: stored.formats.map((rule) => toRule<FormatRule>(rule)),
    reportSubject: toPattern(stored.reportSubject),
    reportSender: toPattern(stored.reportSender),
    stillTrying: toPattern(stored.stillTrying),
    gaveUp: toPattern(stored.gaveUp),
  };
}

function toRule<T extends { readonly pattern: RegExp; readonly unless?: RegExp }>(
  { pattern, unless, flags, ...rest }: StoredRule<T>,
  fragments: Fragments = {},
): T {
  return {
    ...rest,
    pattern: toPattern(pattern, flags, fragments),
    ...(unless === undefined ? {} : { unless: toPattern(unless, flags, fragments) }),
  } as unknown as T;
}
