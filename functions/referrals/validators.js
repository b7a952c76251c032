// Made by `npm run generate` of schema.ts beside it. Not to be edited.
// <stdin>
var referralsQuery = validate20;
var schema31 = { "type": "object", "properties": { "state_eq": { "type": "string", "enum": ["clicked", "converted", "paid", "churned", "rejected"] }, "sub_id_eq": { "type": "string" }, "created_at_lt": { "type": "string" }, "created_at_gt": { "type": "string" }, "page": { "type": "integer", "minimum": 1, "maximum": 999999999, "default": 1 }, "per_page": { "type": "integer", "minimum": 1, "maximum": 50, "default": 25 }, "cursor": { "type": "string" }, "state_set_at_lt": { "type": "string" }, "state_set_at_gt": { "type": "string" } } };
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
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.state_eq !== void 0 && func0.call(data, "state_eq")) {
        let data0 = data.state_eq;
        const _errs1 = errors;
        if (typeof data0 !== "string") {
          validate20.errors = [{ instancePath: instancePath + "/state_eq", schemaPath: "#/properties/state_eq/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state_eq.type, parentSchema: schema31.properties.state_eq, data: data0 }];
          return false;
        }
        if (!(data0 === "clicked" || data0 === "converted" || data0 === "paid" || data0 === "churned" || data0 === "rejected")) {
          validate20.errors = [{ instancePath: instancePath + "/state_eq", schemaPath: "#/properties/state_eq/enum", keyword: "enum", params: { allowedValues: schema31.properties.state_eq.enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.state_eq.enum, parentSchema: schema31.properties.state_eq, data: data0 }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.sub_id_eq !== void 0 && func0.call(data, "sub_id_eq")) {
          let data1 = data.sub_id_eq;
          const _errs3 = errors;
          if (typeof data1 !== "string") {
            validate20.errors = [{ instancePath: instancePath + "/sub_id_eq", schemaPath: "#/properties/sub_id_eq/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.sub_id_eq.type, parentSchema: schema31.properties.sub_id_eq, data: data1 }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.created_at_lt !== void 0 && func0.call(data, "created_at_lt")) {
            let data2 = data.created_at_lt;
            const _errs5 = errors;
            if (typeof data2 !== "string") {
              validate20.errors = [{ instancePath: instancePath + "/created_at_lt", schemaPath: "#/properties/created_at_lt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.created_at_lt.type, parentSchema: schema31.properties.created_at_lt, data: data2 }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.created_at_gt !== void 0 && func0.call(data, "created_at_gt")) {
              let data3 = data.created_at_gt;
              const _errs7 = errors;
              if (typeof data3 !== "string") {
                validate20.errors = [{ instancePath: instancePath + "/created_at_gt", schemaPath: "#/properties/created_at_gt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.created_at_gt.type, parentSchema: schema31.properties.created_at_gt, data: data3 }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.page !== void 0 && func0.call(data, "page")) {
                let data4 = data.page;
                const _errs9 = errors;
                if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
                  validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.page.type, parentSchema: schema31.properties.page, data: data4 }];
                  return false;
                }
                if (errors === _errs9) {
                  if (typeof data4 == "number" && isFinite(data4)) {
                    if (data4 > 999999999 || isNaN(data4)) {
                      validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999 }, message: "must be <= 999999999", schema: 999999999, parentSchema: schema31.properties.page, data: data4 }];
                      return false;
                    } else {
                      if (data4 < 1 || isNaN(data4)) {
                        validate20.errors = [{ instancePath: instancePath + "/page", schemaPath: "#/properties/page/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema31.properties.page, data: data4 }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.per_page !== void 0 && func0.call(data, "per_page")) {
                  let data5 = data.per_page;
                  const _errs11 = errors;
                  if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
                    validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.per_page.type, parentSchema: schema31.properties.per_page, data: data5 }];
                    return false;
                  }
                  if (errors === _errs11) {
                    if (typeof data5 == "number" && isFinite(data5)) {
                      if (data5 > 50 || isNaN(data5)) {
                        validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/maximum", keyword: "maximum", params: { comparison: "<=", limit: 50 }, message: "must be <= 50", schema: 50, parentSchema: schema31.properties.per_page, data: data5 }];
                        return false;
                      } else {
                        if (data5 < 1 || isNaN(data5)) {
                          validate20.errors = [{ instancePath: instancePath + "/per_page", schemaPath: "#/properties/per_page/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema31.properties.per_page, data: data5 }];
                          return false;
                        }
                      }
                    }
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.cursor !== void 0 && func0.call(data, "cursor")) {
                    let data6 = data.cursor;
                    const _errs13 = errors;
                    if (typeof data6 !== "string") {
                      validate20.errors = [{ instancePath: instancePath + "/cursor", schemaPath: "#/properties/cursor/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.cursor.type, parentSchema: schema31.properties.cursor, data: data6 }];
                      return false;
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.state_set_at_lt !== void 0 && func0.call(data, "state_set_at_lt")) {
                      let data7 = data.state_set_at_lt;
                      const _errs15 = errors;
                      if (typeof data7 !== "string") {
                        validate20.errors = [{ instancePath: instancePath + "/state_set_at_lt", schemaPath: "#/properties/state_set_at_lt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state_set_at_lt.type, parentSchema: schema31.properties.state_set_at_lt, data: data7 }];
                        return false;
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.state_set_at_gt !== void 0 && func0.call(data, "state_set_at_gt")) {
                        let data8 = data.state_set_at_gt;
                        const _errs17 = errors;
                        if (typeof data8 !== "string") {
                          validate20.errors = [{ instancePath: instancePath + "/state_set_at_gt", schemaPath: "#/properties/state_set_at_gt/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state_set_at_gt.type, parentSchema: schema31.properties.state_set_at_gt, data: data8 }];
                          return false;
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
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
validate20.evaluated = { "props": { "state_eq": true, "sub_id_eq": true, "created_at_lt": true, "created_at_gt": true, "page": true, "per_page": true, "cursor": true, "state_set_at_lt": true, "state_set_at_gt": true }, "dynamicProps": false, "dynamicItems": false };
export {
  referralsQuery
};
