export { asciiDomain } from './ascii-domain';
export { requestedDays } from './requested-days';
export { DaysResponse } from './days-response.dto';
export { comparableEmailAddress, parseEmailAddress, type ParsedEmailAddress } from './email-address';
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
} from './field.decorator';
export { getCompanyDomain, isFreeMail } from './free-mail';
export { ObjectField, ObjectsField } from './object-field.decorator';
export { PageQuery, SearchPageQuery } from './page-query.dto';
export { WorkingDaysField } from './working-days-field.decorator';
export { PageNumbersResponse, PaginationResponse } from './pagination-response.dto';
