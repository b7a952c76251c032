// Made by `npm run generate` of schema.ts beside it. Not to be edited.
// <stdin>
var conversionV1Body = validate20;
var schema31 = { "type": "object", "required": ["email"], "anyOf": [{ "required": ["gr_id"] }, { "required": ["pk", "uid"] }], "properties": { "email": { "type": "string", "description": "E-mail of the referral. White space at both ends is removed; it is stored in lower case.", "examples": ["visitor@example.com"] }, "gr_id": { "type": "string", "description": "Value of the visitor's cookie: the advocate's slug, a dot, the click's id. It decides where `pk` and `uid` are given too.", "examples": ["jane-doe.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071"] }, "pk": { "type": "string", "description": "The program's public key. Replaces `gr_id` together with `uid`.", "examples": ["pk_019a2b3c4d5e7f608a1b2c3d4e5f6071"] }, "uid": { "type": "string", "description": "The merchant's own id of the advocate. Replaces `gr_id` together with `pk`.", "examples": ["partner-42"] } } };
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  const _errs1 = errors;
  let valid0 = false;
  const _errs2 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if ((data.gr_id === void 0 || !func0.call(data, "gr_id")) && (missing0 = "gr_id")) {
      const err0 = { instancePath, schemaPath: "#/anyOf/0/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'", schema: schema31.anyOf[0].required, parentSchema: schema31.anyOf[0], data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs2 === errors;
  valid0 = valid0 || _valid0;
  const _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing1;
    if ((data.pk === void 0 || !func0.call(data, "pk")) && (missing1 = "pk") || (data.uid === void 0 || !func0.call(data, "uid")) && (missing1 = "uid")) {
      const err1 = { instancePath, schemaPath: "#/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'", schema: schema31.anyOf[1].required, parentSchema: schema31.anyOf[1], data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  valid0 = valid0 || _valid0;
  if (!valid0) {
    const err2 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.anyOf, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
    validate20.errors = vErrors;
    return false;
  } else {
    errors = _errs1;
    if (vErrors !== null) {
      if (_errs1) {
        vErrors.length = _errs1;
      } else {
        vErrors = null;
      }
    }
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing2;
      if ((data.email === void 0 || !func0.call(data, "email")) && (missing2 = "email")) {
        validate20.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'", schema: schema31.required, parentSchema: schema31, data }];
        return false;
      } else {
        if (data.email !== void 0 && func0.call(data, "email")) {
          let data0 = data.email;
          const _errs4 = errors;
          if (typeof data0 !== "string") {
            validate20.errors = [{ instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.email.type, parentSchema: schema31.properties.email, data: data0 }];
            return false;
          }
          var valid1 = _errs4 === errors;
        } else {
          var valid1 = true;
        }
        if (valid1) {
          if (data.gr_id !== void 0 && func0.call(data, "gr_id")) {
            let data1 = data.gr_id;
            const _errs6 = errors;
            if (typeof data1 !== "string") {
              validate20.errors = [{ instancePath: instancePath + "/gr_id", schemaPath: "#/properties/gr_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.gr_id.type, parentSchema: schema31.properties.gr_id, data: data1 }];
              return false;
            }
            var valid1 = _errs6 === errors;
          } else {
            var valid1 = true;
          }
          if (valid1) {
            if (data.pk !== void 0 && func0.call(data, "pk")) {
              let data2 = data.pk;
              const _errs8 = errors;
              if (typeof data2 !== "string") {
                validate20.errors = [{ instancePath: instancePath + "/pk", schemaPath: "#/properties/pk/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.pk.type, parentSchema: schema31.properties.pk, data: data2 }];
                return false;
              }
              var valid1 = _errs8 === errors;
            } else {
              var valid1 = true;
            }
            if (valid1) {
              if (data.uid !== void 0 && func0.call(data, "uid")) {
                let data3 = data.uid;
                const _errs10 = errors;
                if (typeof data3 !== "string") {
                  validate20.errors = [{ instancePath: instancePath + "/uid", schemaPath: "#/properties/uid/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.uid.type, parentSchema: schema31.properties.uid, data: data3 }];
                  return false;
                }
                var valid1 = _errs10 === errors;
              } else {
                var valid1 = true;
              }
            }
          }
        }
      }
    } else {
      validate20.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data }];
      return false;
    }
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": { "email": true, "gr_id": true, "pk": true, "uid": true }, "dynamicProps": false, "dynamicItems": false };
export {
  conversionV1Body
};
