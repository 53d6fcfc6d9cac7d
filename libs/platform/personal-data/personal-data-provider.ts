import { type FieldPath, type RecordClass, getCollection } from '@platform/database';
import { createExactPattern, createMentionPattern, type Subject } from './subject';

/** A stored record of any collection. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** Effect of an erasure on a record: none, deletion, or these fields. */
export type Erasure<R> = 'keep' | 'delete' | { readonly set: { readonly [Name in keyof R]?: R[Name] | null } };

type SubjectIds = 'leadIds' | 'sendIds' | 'conversationIds';

/** The fields that may refer to a person; one match is enough. Without fields, every record is found. */
export interface PersonalReferences<Field extends string = string> {
  /** Fields with an id of one of the person's leads, sends or conversations. */
  readonly leadIds?: readonly Field[];
  readonly sendIds?: readonly Field[];
  readonly conversationIds?: readonly Field[];
  /** Fields that equal the address, which is stored in normal form. */
  readonly address?: readonly Field[];
  /** Fields that equal the address in any case. */
  readonly addressInAnyCase?: readonly Field[];
  /** Texts that may contain the address. */
  readonly mentions?: readonly Field[];
}

/** Records of one collection to find. */
export interface Sought {
  readonly collection: string;
  readonly foundBy: PersonalReferences;
  /** Further conditions, by field. */
  readonly where?: StoredRecord;
}

/** How one collection refers to people, and what an erasure makes of its records. */
interface PersonalDeclaration<R> {
  readonly foundBy: PersonalReferences<FieldPath<R>>;
  /** Condition for erasure: no worker is using the record, which a later run erases. An export includes all records. */
  readonly settled?: Condition<FieldPath<R>>;
  /** Other collections refer to the person by ids of these records, found by these fields; such records are erased last. */
  readonly identifies?: { readonly as: SubjectIds; readonly foundBy: PersonalReferences<FieldPath<R>> };
  /** The texts that `erase` removes from a record about the person; `all` where it deletes the record. */
  readonly erases: 'all' | readonly FieldPath<R>[];
  /** By reason: the texts about the person that stay. */
  readonly retains?: Readonly<Record<string, readonly FieldPath<R>[]>>;
  /** Found by its own fields and not by a text match: an export includes it even if nothing in it would be erased. */
  readonly isAlwaysExported?: boolean;
  erase(record: R, subject: Subject): Erasure<R>;
}

/** A field, and its value or the operators of a query on it. */
type Condition<Field extends string> = readonly [field: Field, condition: unknown];

/** The same for any record. */
export interface PersonalCollection extends Sought, Omit<PersonalDeclaration<StoredRecord>, 'foundBy' | 'settled'> {
  readonly settled?: StoredRecord;
}

/** What an erasure has to wait for; a later run erases it. */
export interface Unfinished extends Sought {
  readonly as: 'onTheirWay' | 'openImports';
}

/** What a domain exports and erases of one person. */
export interface PersonalDataProvider {
  /** In the order of erasure. */
  readonly collections: readonly PersonalCollection[];
  readonly unfinished?: readonly Unfinished[];
}

/** Declares a collection with personal data. The compiler checks its fields against the record. */
export function declarePersonal<R>(
  record: RecordClass<R>,
  declaration: PersonalDeclaration<NoInfer<R>>,
): PersonalCollection {
  const { settled, ...others } = declaration as unknown as PersonalDeclaration<StoredRecord>;
  return {
    collection: getCollection(record).collection,
    ...others,
    ...(settled && { settled: Object.fromEntries([settled]) }),
  };
}

/** Declares records that an erasure has to wait for. */
export function declareUnfinished<R>(
  record: RecordClass<R>,
  as: Unfinished['as'],
  foundBy: PersonalReferences<FieldPath<NoInfer<R>>>,
  where: Condition<FieldPath<NoInfer<R>>>,
): Unfinished {
  return { collection: getCollection(record).collection, as, foundBy, where: Object.fromEntries([where]) };
}

/** The filter for the records that may be about a person; the workspace is added to it. */
export function toFilter(
  {
    leadIds = [],
    sendIds = [],
    conversationIds = [],
    address = [],
    addressInAnyCase = [],
    mentions = [],
  }: PersonalReferences,
  subject: Subject,
): Record<string, unknown> {
  const either = [
    ...leadIds.map((field) => ({ [field]: { $in: subject.leadIds } })),
    ...sendIds.map((field) => ({ [field]: { $in: subject.sendIds } })),
    ...conversationIds.map((field) => ({ [field]: { $in: subject.conversationIds } })),
    ...address.map((field) => ({ [field]: subject.address })),
    ...addressInAnyCase.map((field) => ({ [field]: createExactPattern(subject.address) })),
    ...mentions.map((field) => ({ [field]: createMentionPattern(subject.address) })),
  ];
  return either.length === 0 ? {} : { $or: either };
}
