export {
  EmailField,
  FlagField,
  IdField,
  InstantField,
  IntegerField,
  NameField,
  OneOfField,
  OneOfListField,
  TextField,
  TimeOfDayField,
  TimeZoneField,
} from './field.decorators';
export { PageQuery, SearchPageQuery } from './page.query';
export { PaginationResponse } from './pagination.response';
