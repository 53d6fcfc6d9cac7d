export { createErasedAddress, ERASED, ERASED_DOMAIN } from './erased';
export {
  declarePersonal,
  declareUnfinished,
  type Erasure,
  type PersonalCollection,
  type PersonalDataProvider,
  type Sought,
  type StoredRecord,
  toFilter,
  type Unfinished,
} from './personal-data-provider';
export { hasMention, isSubjectAddress, removeAddress, type Subject } from './subject';
