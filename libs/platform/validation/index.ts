export { asciiDomain } from './ascii.domain';
export { daysAsked } from './days.asked';
export { DaysResponse } from './days.response';
export { comparableEmailAddress, parseEmailAddress, type ParsedEmailAddress } from './email.address';
export { bounds, CheckedField, type FieldOptions } from './field';
export {
  DayField,
  EmailField,
  FlagField,
  IdField,
  IdsField,
  InstantField,
  IntegerField,
  NameField,
  OneOfField,
  OneOfListField,
  TextField,
  TimeOfDayField,
  TimeZoneField,
  UrlField,
} from './field.decorators';
export { companyDomainOf, isFreeMail } from './free.mail';
export { ObjectField, ObjectsField } from './object.fields';
export { PageQuery, SearchPageQuery } from './page.query';
export { WorkingDaysField } from './working.days';
export { PageNumbersResponse, PaginationResponse } from './pagination.response';
