import { IntegerField, TextField } from './field.decorator';

/** Query of every list. */
export class PageQuery {
  @IntegerField({ min: 1, max: 100, default: 25, optional: true, query: true, about: 'Records per page.' })
  limit: number = 25;

  @TextField({ max: 2000, optional: true, about: 'The `nextCursor` of the page before.' })
  cursor?: string;
}

/** Query of a list that can be searched. */
export class SearchPageQuery extends PageQuery {
  @TextField({ min: 0, max: 100, optional: true, about: 'Case-insensitive literal text to look for.' })
  search?: string;
}
