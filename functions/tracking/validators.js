// Made by `npm run generate` of schema.ts beside it. Not to be edited.
// <stdin>
var conversionV1Body = validate20;
var schema31 = { "type": "object", "required": ["email"], "allOf": [{ "anyOf": [{ "required": ["gr_id"] }, { "required": ["pk", "uid"], "properties": { "pk": {}, "uid": {} } }] }], "properties": { "email": { "type": "string" }, "gr_id": { "type": "string" }, "pk": { "type": "string" }, "uid": { "type": "string" } } };
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
  const _errs2 = errors;
  let valid1 = false;
  const _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if ((data.gr_id === void 0 || !func0.call(data, "gr_id")) && (missing0 = "gr_id")) {
      const err0 = { instancePath, schemaPath: "#/allOf/0/anyOf/0/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'", schema: schema31.allOf[0].anyOf[0].required, parentSchema: schema31.allOf[0].anyOf[0], data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  valid1 = valid1 || _valid0;
  const _errs4 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing1;
    if ((data.pk === void 0 || !func0.call(data, "pk")) && (missing1 = "pk") || (data.uid === void 0 || !func0.call(data, "uid")) && (missing1 = "uid")) {
      const err1 = { instancePath, schemaPath: "#/allOf/0/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'", schema: schema31.allOf[0].anyOf[1].required, parentSchema: schema31.allOf[0].anyOf[1], data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
  }
  var _valid0 = _errs4 === errors;
  valid1 = valid1 || _valid0;
  if (_valid0) {
    var props0 = {};
    props0.pk = true;
    props0.uid = true;
  }
  if (!valid1) {
    const err2 = { instancePath, schemaPath: "#/allOf/0/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.allOf[0].anyOf, parentSchema: schema31.allOf[0], data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
    validate20.errors = vErrors;
    return false;
  } else {
    errors = _errs2;
    if (vErrors !== null) {
      if (_errs2) {
        vErrors.length = _errs2;
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
        if (props0 !== true) {
          props0 = props0 || {};
          props0.email = true;
          props0.gr_id = true;
          props0.pk = true;
          props0.uid = true;
        }
        if (data.email !== void 0 && func0.call(data, "email")) {
          let data0 = data.email;
          const _errs5 = errors;
          if (typeof data0 !== "string") {
            validate20.errors = [{ instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.email.type, parentSchema: schema31.properties.email, data: data0 }];
            return false;
          }
          var valid2 = _errs5 === errors;
        } else {
          var valid2 = true;
        }
        if (valid2) {
          if (data.gr_id !== void 0 && func0.call(data, "gr_id")) {
            let data1 = data.gr_id;
            const _errs7 = errors;
            if (typeof data1 !== "string") {
              validate20.errors = [{ instancePath: instancePath + "/gr_id", schemaPath: "#/properties/gr_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.gr_id.type, parentSchema: schema31.properties.gr_id, data: data1 }];
              return false;
            }
            var valid2 = _errs7 === errors;
          } else {
            var valid2 = true;
          }
          if (valid2) {
            if (data.pk !== void 0 && func0.call(data, "pk")) {
              let data2 = data.pk;
              const _errs9 = errors;
              if (typeof data2 !== "string") {
                validate20.errors = [{ instancePath: instancePath + "/pk", schemaPath: "#/properties/pk/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.pk.type, parentSchema: schema31.properties.pk, data: data2 }];
                return false;
              }
              var valid2 = _errs9 === errors;
            } else {
              var valid2 = true;
            }
            if (valid2) {
              if (data.uid !== void 0 && func0.call(data, "uid")) {
                let data3 = data.uid;
                const _errs11 = errors;
                if (typeof data3 !== "string") {
                  validate20.errors = [{ instancePath: instancePath + "/uid", schemaPath: "#/properties/uid/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.uid.type, parentSchema: schema31.properties.uid, data: data3 }];
                  return false;
                }
                var valid2 = _errs11 === errors;
              } else {
                var valid2 = true;
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
  evaluated0.props = props0;
  return errors === 0;
}
validate20.evaluated = { "dynamicProps": true, "dynamicItems": false };
var conversionV2Body = validate21;
var schema32 = { "type": "object", "allOf": [{ "anyOf": [{ "required": ["affiliate_slug"] }, { "required": ["gr_id"] }] }, { "anyOf": [{ "required": ["email"] }, { "required": ["uid"] }] }], "properties": { "affiliate_slug": { "type": "string" }, "gr_id": { "type": "string" }, "email": { "type": "string" }, "uid": { "type": "string" }, "sub_id": { "type": "string" }, "pk": { "type": "string" } } };
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  const _errs1 = errors;
  const _errs2 = errors;
  let valid1 = false;
  const _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if ((data.affiliate_slug === void 0 || !func0.call(data, "affiliate_slug")) && (missing0 = "affiliate_slug")) {
      const err0 = { instancePath, schemaPath: "#/allOf/0/anyOf/0/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'", schema: schema32.allOf[0].anyOf[0].required, parentSchema: schema32.allOf[0].anyOf[0], data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  valid1 = valid1 || _valid0;
  const _errs4 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing1;
    if ((data.gr_id === void 0 || !func0.call(data, "gr_id")) && (missing1 = "gr_id")) {
      const err1 = { instancePath, schemaPath: "#/allOf/0/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'", schema: schema32.allOf[0].anyOf[1].required, parentSchema: schema32.allOf[0].anyOf[1], data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
  }
  var _valid0 = _errs4 === errors;
  valid1 = valid1 || _valid0;
  if (!valid1) {
    const err2 = { instancePath, schemaPath: "#/allOf/0/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema32.allOf[0].anyOf, parentSchema: schema32.allOf[0], data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
    validate21.errors = vErrors;
    return false;
  } else {
    errors = _errs2;
    if (vErrors !== null) {
      if (_errs2) {
        vErrors.length = _errs2;
      } else {
        vErrors = null;
      }
    }
  }
  var valid0 = _errs1 === errors;
  if (valid0) {
    const _errs5 = errors;
    const _errs6 = errors;
    let valid2 = false;
    const _errs7 = errors;
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing2;
      if ((data.email === void 0 || !func0.call(data, "email")) && (missing2 = "email")) {
        const err3 = { instancePath, schemaPath: "#/allOf/1/anyOf/0/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'", schema: schema32.allOf[1].anyOf[0].required, parentSchema: schema32.allOf[1].anyOf[0], data };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    var _valid1 = _errs7 === errors;
    valid2 = valid2 || _valid1;
    const _errs8 = errors;
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing3;
      if ((data.uid === void 0 || !func0.call(data, "uid")) && (missing3 = "uid")) {
        const err4 = { instancePath, schemaPath: "#/allOf/1/anyOf/1/required", keyword: "required", params: { missingProperty: missing3 }, message: "must have required property '" + missing3 + "'", schema: schema32.allOf[1].anyOf[1].required, parentSchema: schema32.allOf[1].anyOf[1], data };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    var _valid1 = _errs8 === errors;
    valid2 = valid2 || _valid1;
    if (!valid2) {
      const err5 = { instancePath, schemaPath: "#/allOf/1/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema32.allOf[1].anyOf, parentSchema: schema32.allOf[1], data };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
      validate21.errors = vErrors;
      return false;
    } else {
      errors = _errs6;
      if (vErrors !== null) {
        if (_errs6) {
          vErrors.length = _errs6;
        } else {
          vErrors = null;
        }
      }
    }
    var valid0 = _errs5 === errors;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.affiliate_slug !== void 0 && func0.call(data, "affiliate_slug")) {
        let data0 = data.affiliate_slug;
        const _errs9 = errors;
        if (typeof data0 !== "string") {
          validate21.errors = [{ instancePath: instancePath + "/affiliate_slug", schemaPath: "#/properties/affiliate_slug/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.affiliate_slug.type, parentSchema: schema32.properties.affiliate_slug, data: data0 }];
          return false;
        }
        var valid3 = _errs9 === errors;
      } else {
        var valid3 = true;
      }
      if (valid3) {
        if (data.gr_id !== void 0 && func0.call(data, "gr_id")) {
          let data1 = data.gr_id;
          const _errs11 = errors;
          if (typeof data1 !== "string") {
            validate21.errors = [{ instancePath: instancePath + "/gr_id", schemaPath: "#/properties/gr_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.gr_id.type, parentSchema: schema32.properties.gr_id, data: data1 }];
            return false;
          }
          var valid3 = _errs11 === errors;
        } else {
          var valid3 = true;
        }
        if (valid3) {
          if (data.email !== void 0 && func0.call(data, "email")) {
            let data2 = data.email;
            const _errs13 = errors;
            if (typeof data2 !== "string") {
              validate21.errors = [{ instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.email.type, parentSchema: schema32.properties.email, data: data2 }];
              return false;
            }
            var valid3 = _errs13 === errors;
          } else {
            var valid3 = true;
          }
          if (valid3) {
            if (data.uid !== void 0 && func0.call(data, "uid")) {
              let data3 = data.uid;
              const _errs15 = errors;
              if (typeof data3 !== "string") {
                validate21.errors = [{ instancePath: instancePath + "/uid", schemaPath: "#/properties/uid/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.uid.type, parentSchema: schema32.properties.uid, data: data3 }];
                return false;
              }
              var valid3 = _errs15 === errors;
            } else {
              var valid3 = true;
            }
            if (valid3) {
              if (data.sub_id !== void 0 && func0.call(data, "sub_id")) {
                let data4 = data.sub_id;
                const _errs17 = errors;
                if (typeof data4 !== "string") {
                  validate21.errors = [{ instancePath: instancePath + "/sub_id", schemaPath: "#/properties/sub_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.sub_id.type, parentSchema: schema32.properties.sub_id, data: data4 }];
                  return false;
                }
                var valid3 = _errs17 === errors;
              } else {
                var valid3 = true;
              }
              if (valid3) {
                if (data.pk !== void 0 && func0.call(data, "pk")) {
                  let data5 = data.pk;
                  const _errs19 = errors;
                  if (typeof data5 !== "string") {
                    validate21.errors = [{ instancePath: instancePath + "/pk", schemaPath: "#/properties/pk/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.pk.type, parentSchema: schema32.properties.pk, data: data5 }];
                    return false;
                  }
                  var valid3 = _errs19 === errors;
                } else {
                  var valid3 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate21.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data }];
      return false;
    }
  }
  validate21.errors = vErrors;
  return errors === 0;
}
validate21.evaluated = { "props": { "affiliate_slug": true, "gr_id": true, "email": true, "uid": true, "sub_id": true, "pk": true }, "dynamicProps": false, "dynamicItems": false };
var stateBody = validate22;
var schema33 = { "type": "object", "required": ["state"], "allOf": [{ "anyOf": [{ "required": ["email"] }, { "required": ["uid"] }] }], "properties": { "email": { "type": "string" }, "uid": { "type": "string" }, "state": { "type": "string", "enum": ["converted", "paid", "churned", "rejected"] } } };
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate22.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  const _errs2 = errors;
  let valid1 = false;
  const _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if ((data.email === void 0 || !func0.call(data, "email")) && (missing0 = "email")) {
      const err0 = { instancePath, schemaPath: "#/allOf/0/anyOf/0/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'", schema: schema33.allOf[0].anyOf[0].required, parentSchema: schema33.allOf[0].anyOf[0], data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  valid1 = valid1 || _valid0;
  const _errs4 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing1;
    if ((data.uid === void 0 || !func0.call(data, "uid")) && (missing1 = "uid")) {
      const err1 = { instancePath, schemaPath: "#/allOf/0/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'", schema: schema33.allOf[0].anyOf[1].required, parentSchema: schema33.allOf[0].anyOf[1], data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
  }
  var _valid0 = _errs4 === errors;
  valid1 = valid1 || _valid0;
  if (!valid1) {
    const err2 = { instancePath, schemaPath: "#/allOf/0/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema33.allOf[0].anyOf, parentSchema: schema33.allOf[0], data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
    validate22.errors = vErrors;
    return false;
  } else {
    errors = _errs2;
    if (vErrors !== null) {
      if (_errs2) {
        vErrors.length = _errs2;
      } else {
        vErrors = null;
      }
    }
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing2;
      if ((data.state === void 0 || !func0.call(data, "state")) && (missing2 = "state")) {
        validate22.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'", schema: schema33.required, parentSchema: schema33, data }];
        return false;
      } else {
        if (data.email !== void 0 && func0.call(data, "email")) {
          let data0 = data.email;
          const _errs5 = errors;
          if (typeof data0 !== "string") {
            validate22.errors = [{ instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.email.type, parentSchema: schema33.properties.email, data: data0 }];
            return false;
          }
          var valid2 = _errs5 === errors;
        } else {
          var valid2 = true;
        }
        if (valid2) {
          if (data.uid !== void 0 && func0.call(data, "uid")) {
            let data1 = data.uid;
            const _errs7 = errors;
            if (typeof data1 !== "string") {
              validate22.errors = [{ instancePath: instancePath + "/uid", schemaPath: "#/properties/uid/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.uid.type, parentSchema: schema33.properties.uid, data: data1 }];
              return false;
            }
            var valid2 = _errs7 === errors;
          } else {
            var valid2 = true;
          }
          if (valid2) {
            if (data.state !== void 0 && func0.call(data, "state")) {
              let data2 = data.state;
              const _errs9 = errors;
              if (typeof data2 !== "string") {
                validate22.errors = [{ instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.state.type, parentSchema: schema33.properties.state, data: data2 }];
                return false;
              }
              if (!(data2 === "converted" || data2 === "paid" || data2 === "churned" || data2 === "rejected")) {
                validate22.errors = [{ instancePath: instancePath + "/state", schemaPath: "#/properties/state/enum", keyword: "enum", params: { allowedValues: schema33.properties.state.enum }, message: "must be equal to one of the allowed values", schema: schema33.properties.state.enum, parentSchema: schema33.properties.state, data: data2 }];
                return false;
              }
              var valid2 = _errs9 === errors;
            } else {
              var valid2 = true;
            }
          }
        }
      }
    } else {
      validate22.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema33.type, parentSchema: schema33, data }];
      return false;
    }
  }
  validate22.errors = vErrors;
  return errors === 0;
}
validate22.evaluated = { "props": { "email": true, "uid": true, "state": true }, "dynamicProps": false, "dynamicItems": false };
var clickBody = validate23;
var schema34 = { "type": "object", "required": ["pk", "gr_id"], "properties": { "pk": { "type": "string" }, "gr_id": { "type": "string" }, "sub_id": { "type": "string" } } };
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate23.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if ((data.pk === void 0 || !func0.call(data, "pk")) && (missing0 = "pk") || (data.gr_id === void 0 || !func0.call(data, "gr_id")) && (missing0 = "gr_id")) {
        validate23.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'", schema: schema34.required, parentSchema: schema34, data }];
        return false;
      } else {
        if (data.pk !== void 0 && func0.call(data, "pk")) {
          let data0 = data.pk;
          const _errs1 = errors;
          if (typeof data0 !== "string") {
            validate23.errors = [{ instancePath: instancePath + "/pk", schemaPath: "#/properties/pk/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema34.properties.pk.type, parentSchema: schema34.properties.pk, data: data0 }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.gr_id !== void 0 && func0.call(data, "gr_id")) {
            let data1 = data.gr_id;
            const _errs3 = errors;
            if (typeof data1 !== "string") {
              validate23.errors = [{ instancePath: instancePath + "/gr_id", schemaPath: "#/properties/gr_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema34.properties.gr_id.type, parentSchema: schema34.properties.gr_id, data: data1 }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.sub_id !== void 0 && func0.call(data, "sub_id")) {
              let data2 = data.sub_id;
              const _errs5 = errors;
              if (typeof data2 !== "string") {
                validate23.errors = [{ instancePath: instancePath + "/sub_id", schemaPath: "#/properties/sub_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema34.properties.sub_id.type, parentSchema: schema34.properties.sub_id, data: data2 }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate23.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema34.type, parentSchema: schema34, data }];
      return false;
    }
  }
  validate23.errors = vErrors;
  return errors === 0;
}
validate23.evaluated = { "props": { "pk": true, "gr_id": true, "sub_id": true }, "dynamicProps": false, "dynamicItems": false };
export {
  clickBody,
  conversionV1Body,
  conversionV2Body,
  stateBody
};
