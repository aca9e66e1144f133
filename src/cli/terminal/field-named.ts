import { isFieldName, type FieldName } from '../../sync/model/fields.ts';
import { WrongUse } from './wrong-use.ts';

/** The field that `--field` names; undefined without it. Throws WrongUse if events have no such field. */
export function fieldNamed(name: unknown): FieldName | undefined {
  if (typeof name !== 'string') return undefined;
  if (!isFieldName(name))
    throw new WrongUse(`An event has no field "${name}". "explain" lists the fields that the event has.`);
  return name;
}
