import type { AttributeValue } from 'aws-lambda';
import type { Item } from './item.ts';

type Image = Readonly<Record<string, AttributeValue>>;

/** Unmarshalls an image of a record of the stream. The SDK's `unmarshall` does not accept Lambda's type of attribute values. */
export function toItem(image: Image): Item {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeValue(value)]));
}

/** Returns the value of an attribute; `undefined` for types of attributes that no item has. */
function attributeValue({ S, N, BOOL, L, M }: AttributeValue): unknown {
  if (N !== undefined) return Number(N);
  if (L !== undefined) return L.map(attributeValue);
  return M === undefined ? (S ?? BOOL) : toItem(M);
}
